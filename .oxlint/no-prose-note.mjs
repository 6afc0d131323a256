/**
 * A lint rule of the house: a note is data (core/history/note.ts), and its words are made in reports/ alone. Refused are a text with a
 * blank in the data of a note, a note of the kind `text`, which is for files of older versions, and a field `notes` of texts.
 */
const PROSE = 'a note is data: give it a code of core/history/note.ts, and its words in reports/notes/words.ts';

const keyOf = ({ key }) => key?.name ?? key?.value;
const fieldOf = (object, name) => object.properties.find((each) => each.type === 'Property' && keyOf(each) === name)?.value;
const isText = (node) => node?.type === 'TSArrayType' && node.elementType.type === 'TSStringKeyword';

/** Texts of ours within an expression; what a function is given is its own. */
function* textsIn(node) {
  if (node === null || typeof node !== 'object') return;
  if (node.type === 'Literal' && typeof node.value === 'string') yield { node, text: node.value };
  if (node.type === 'TemplateLiteral') for (const { value } of node.quasis) yield { node, text: value.raw };
  if (node.type === 'ObjectExpression') for (const each of node.properties) yield* textsIn(each.value ?? each.argument);
  if (node.type === 'ArrayExpression') for (const each of node.elements) yield* textsIn(each);
  if (node.type === 'ConditionalExpression') yield* [node.consequent, node.alternate].flatMap((each) => [...textsIn(each)]);
  if (node.type === 'LogicalExpression' || node.type === 'BinaryExpression')
    yield* [node.left, node.right].flatMap((each) => [...textsIn(each)]);
}

export const noProseNote = {
  create: (context) => ({
    ObjectExpression(node) {
      const [code, data] = [fieldOf(node, 'code'), fieldOf(node, 'data')];
      if (code?.type !== 'Literal' || data?.type !== 'ObjectExpression') return;
      if (code.value === 'text') context.report({ node, message: PROSE });
      for (const { node: place, text } of textsIn(data)) if (/\s/.test(text)) context.report({ node: place, message: PROSE });
    },
    TSPropertySignature(node) {
      const type = node.typeAnnotation?.typeAnnotation;
      if (keyOf(node) !== 'notes') return;
      if (isText(type) || (type?.type === 'TSTypeOperator' && isText(type.typeAnnotation))) context.report({ node, message: PROSE });
    },
  }),
};
