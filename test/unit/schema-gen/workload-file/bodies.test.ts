// Bodies of triggers and functions in a file: their semicolons end no statement, and lines stay what they are.
import { describe, expect, it } from 'vitest';
import { parseWorkloadFile } from '../../../../schema-gen/index.ts';

function schemaOf(text: string): readonly string[] {
  const { file, refused } = parseWorkloadFile(`-- @schema\n${text}`, { tablesAlone: true });
  expect(refused).toEqual([]);
  return file.schema.map(({ sql, line }) => `${line}: ${sql.replaceAll(/\s+/g, ' ')}`);
}

const TRIGGER = 'CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW';

describe('bodies of triggers and functions', () => {
  it.each([
    'BEGIN UPDATE b SET n = 1; UPDATE b SET n = 2; END',
    'BEGIN IF NEW.n > 1 THEN UPDATE b SET n = 1; ELSE IF NEW.n THEN SET x = 1; END IF; END IF; END',
    'BEGIN SET x = CASE WHEN y THEN IF(1, 2, 3) ELSE IF(4, 5, 6) END; SET x = CASE y WHEN 1 THEN 2 END; END',
    'BEGIN CASE n WHEN 1 THEN SET x = 1; ELSE BEGIN END; END CASE; END',
    'BEGIN l: LOOP LEAVE l; END LOOP l; WHILE x DO SET x = 0; END WHILE; REPEAT SET x = REPEAT(y, 3); UNTIL 1 END REPEAT; END',
    'BEGIN DECLARE EXIT HANDLER FOR NOT FOUND BEGIN END; SELECT n INTO x FROM b; END',
    'IF NEW.n THEN SET x = 1; IF y THEN SET z = 1; END IF; END IF',
    'FOLLOWS u IF NEW.n THEN SET x = 1; END IF',
    "BEGIN SET x = 'BEGIN;'; /* BEGIN; */ SET y = 1; END",
    'SET NEW.n = IF(a, b, c)',
  ])('are one statement without a DELIMITER: %s', (body) => {
    expect(schemaOf(`${TRIGGER}\n${body};\nINSERT INTO a (n) VALUES (1);`)).toEqual([
      `2: ${TRIGGER} ${body}`,
      '4: INSERT INTO a (n) VALUES (1)',
    ]);
  });

  it('end at the DELIMITER that the file names, as mysqldump writes them', () => {
    const dumped =
      '/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER t AFTER INSERT ON a FOR EACH ROW BEGIN /* ; */ SET x = 1; END */';
    expect(
      schemaOf(`DELIMITER ;;\n${dumped};;\nDELIMITER $$\n${TRIGGER}\nBEGIN SELECT 1; END $$\ndelimiter ;\nCREATE TABLE a (n int);`),
    ).toEqual([`3: ${dumped}`, `5: ${TRIGGER} BEGIN SELECT 1; END`, '8: CREATE TABLE a (n int)']);
  });

  it('do not make statements of other words: BEGIN of a transaction, a table that is called begin', () => {
    expect(schemaOf('CREATE TABLE begin (begin int, case_of int); BEGIN; SELECT 1; END;')).toHaveLength(4);
  });

  it('without their END are refused where they begin', () => {
    const { refused } = parseWorkloadFile(
      `-- @schema\nCREATE TABLE a (n int);\n${TRIGGER}\nBEGIN SET x = 1;\n-- @transaction t\nSELECT n FROM a;`,
    );
    expect(refused).toEqual([
      { line: 3, reason: expect.stringMatching(/BEGIN, IF, CASE or loop without an END before the next directive/) },
    ]);
  });
});
