/**
 * A lint rule of the house: no comparison with a DBMS's name outside dialects/. What differs between DBMSs is a
 * capability, a method or a row of a table there (docs/PIPELINE.md, dialects), so that a new one needs no search for
 * conditions. Refused are ==, ===, !=, !==, `case` and `[...].includes(...)` with one of the names.
 */
const NAMES = new Set(['postgres', 'postgresql', 'mysql', 'mariadb', 'tidb', 'cockroachdb', 'cockroach', 'galera']);
const MESSAGE = "no test of a dialect's name outside dialects/: make it a capability, a method or a row of a table there";

const isName = (node) => node?.type === 'Literal' && typeof node.value === 'string' && NAMES.has(node.value.toLowerCase());

export const noDialectName = {
  create: (context) => ({
    BinaryExpression(node) {
      if (/^[!=]==?$/.test(node.operator) && (isName(node.left) || isName(node.right))) context.report({ node, message: MESSAGE });
    },
    SwitchCase(node) {
      if (isName(node.test)) context.report({ node, message: MESSAGE });
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.name !== 'includes') return;
      if (isName(node.arguments[0]) || (callee.object.type === 'ArrayExpression' && callee.object.elements.some(isName)))
        context.report({ node, message: MESSAGE });
    },
  }),
};
