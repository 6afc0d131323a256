// Statements as they are pasted into a client: what ends those that hold semicolons.
import { expect, it } from 'vitest';
import { terminated, terminatedForMtr } from '../../../reports/index.ts';

const TRIGGER = 'CREATE TRIGGER `t` AFTER INSERT ON `a` FOR EACH ROW BEGIN SET @x = 1; END';

it('a body with semicolons has a DELIMITER around it, for the mysql client and for mtr', () => {
  expect(terminated(TRIGGER, '/* any */ ')).toEqual(['DELIMITER ;;', `/* any */ ${TRIGGER};;`, 'DELIMITER ;']);
  expect(terminatedForMtr(TRIGGER)).toEqual(['delimiter $$;', `${TRIGGER}$$`, 'delimiter ;$$']);
});

it('other statements, and bodies in dollar quotes, end with a semicolon', () => {
  const statements = [
    "INSERT INTO `a` VALUES (';')",
    'CREATE FUNCTION "f"() RETURNS int AS $$BEGIN RETURN 1; END$$',
    'CREATE TRIGGER `t` SET NEW.a = 1',
  ];
  expect(statements.flatMap((sql) => [...terminated(sql), ...terminatedForMtr(sql)])).toEqual(
    statements.flatMap((sql) => [`${sql};`, `${sql};`]),
  );
});
