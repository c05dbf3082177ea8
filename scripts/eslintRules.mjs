// The rules of this repository that neither eslint nor typescript-eslint has. `eslint --fix` fixes most findings.

import { dirname, join, relative, sep } from "node:path";

/** `@throws ErrorClass when …`, as in TSDoc: without braces around the class. */
const throwsWithoutBraces = {
  meta: { type: "layout", fixable: "code", schema: [] },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const comment of sourceCode.getAllComments()) {
        for (const found of comment.value.matchAll(/@throws \{(\w+)\}/g)) {
          // Comments begin with two characters that are not in their value.
          const start = comment.range[0] + 2 + found.index;
          report({
            loc: comment.loc,
            message: "Write @throws without braces.",
            fix: (fixer) =>
              fixer.replaceTextRange([start, start + found[0].length], `@throws ${found[1]}`),
          });
        }
      }
    },
  }),
};

/** `private`, and not `#`: TypeScript checks all uses, and parameter properties can have it. */
const privateKeyword = {
  meta: { type: "layout", fixable: "code", schema: [] },
  create: ({ sourceCode, report }) => ({
    "PropertyDefinition > PrivateIdentifier.key, MethodDefinition > PrivateIdentifier.key"(node) {
      const member = node.parent;
      const { body } = member.parent;
      const isPair = body.some((other) => other !== member && isSame(other, node.name));
      report({
        node,
        message: "Write private {{name}} in place of #{{name}}.",
        data: { name: node.name },
        fix: isPair
          ? null
          : (fixer) => {
              const name = freeName(body, node.name);
              const uses = sourceCode.ast.tokens.filter(
                ({ type, value, range }) =>
                  type === "PrivateIdentifier" &&
                  value === node.name &&
                  range[0] > member.parent.range[0] &&
                  range[1] <= member.parent.range[1],
              );
              return [
                fixer.insertTextBefore(sourceCode.getFirstToken(member), "private "),
                ...uses.map((token) => fixer.replaceText(token, name)),
              ];
            },
      });
    },
  }),
};

/** Whether another member is the other half of an accessor: both are to be changed by hand. */
function isSame({ key }, name) {
  return key?.type === "PrivateIdentifier" && key.name === name;
}

/** The name, or another one where a member that isn't private has it. */
function freeName(body, name) {
  const taken = new Set(body.flatMap(({ key }) => (key?.type === "Identifier" ? [key.name] : [])));
  return taken.has(name) ? `current${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

/** Constants of a file that are a number, a text or a pattern are written LIKE_THIS. */
const constantCase = {
  meta: { type: "layout", fixable: "code", schema: [] },
  create: ({ sourceCode, report }) => ({
    "Program > VariableDeclaration[kind='const'] > VariableDeclarator"(node) {
      const { id, init } = node;
      if (id.type !== "Identifier" || !isLiteral(init) || /^[A-Z][A-Z\d_]*$/.test(id.name)) {
        return;
      }
      const name = id.name.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toUpperCase();
      const scope = sourceCode.getScope(node);
      const { references } = scope.set.get(id.name);
      const isTaken =
        scope.set.has(name) || scope.through.some((use) => use.identifier.name === name);
      const isExported = references.some(
        ({ identifier }) => identifier.parent.type === "ExportSpecifier",
      );
      report({
        node: id,
        message: "Write the constant {{name}} in capitals.",
        data: { name: id.name },
        fix:
          isTaken || isExported
            ? null
            : (fixer) =>
                references.map(({ identifier, init: isDeclaration }) => {
                  const end = identifier.range[0] + id.name.length;
                  const { parent } = identifier;
                  const text =
                    isDeclaration !== true && parent.type === "Property" && parent.shorthand
                      ? `${id.name}: ${name}`
                      : name;
                  return fixer.replaceTextRange([identifier.range[0], end], text);
                }),
      });
    },
  }),
};

function isLiteral(node) {
  return (
    (node?.type === "Literal" && typeof node.value !== "boolean" && node.raw !== "null") ||
    (node?.type === "UnaryExpression" && isLiteral(node.argument)) ||
    (node?.type === "BinaryExpression" && isLiteral(node.left) && isLiteral(node.right)) ||
    (node?.type === "TemplateLiteral" && node.expressions.length === 0)
  );
}

/** Imports in the order node:, packages, files; by path within each. */
const importOrder = {
  meta: { type: "layout", fixable: "code", schema: [] },
  create: ({ sourceCode, report }) => ({
    Program({ body }) {
      const isImport = ({ type }) => type === "ImportDeclaration";
      const end = body.findIndex((statement) => !isImport(statement));
      const imports = end === -1 ? body : body.slice(0, end);
      // One without names runs for its effect: others stay before and behind it.
      const effect = imports.findIndex(({ specifiers }) => specifiers.length === 0);
      const parts =
        effect === -1 ? [imports] : [imports.slice(0, effect), imports.slice(effect + 1)];
      for (const part of parts) {
        const sorted = part.toSorted?.(byPath) ?? [...part].sort(byPath);
        const first = part.findIndex((statement, index) => statement !== sorted[index]);
        if (first === -1) {
          continue;
        }
        const hasComments = part.some((one) => sourceCode.getCommentsBefore(one).length > 0);
        report({
          node: part[first],
          message: "Order imports: node:, packages, files; by path within each.",
          fix: hasComments
            ? null
            : (fixer) =>
                part.map((statement, index) =>
                  fixer.replaceText(statement, sourceCode.getText(sorted[index])),
                ),
        });
      }
    },
  }),
};

function byPath(one, other) {
  const [a, b] = [one, other].map(({ source }) => [groupOf(source.value), source.value]);
  return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
}

function groupOf(path) {
  return path.startsWith("node:") ? 0 : path.startsWith(".") ? 2 : 1;
}

/** `defined({…})` has only properties of the type it is for: TypeScript itself takes any there. */
const definedProperties = {
  meta: { type: "problem", schema: [] },
  create({ sourceCode, report }) {
    const { program, esTreeNodeToTSNodeMap } = sourceCode.parserServices;
    return {
      "CallExpression[callee.name='defined'] > ObjectExpression"(node) {
        const checker = program.getTypeChecker();
        const expected = checker.getContextualType(esTreeNodeToTSNodeMap.get(node.parent));
        const isOpen =
          expected === undefined ||
          expected.getProperties().length === 0 ||
          checker.getIndexInfosOfType(expected).length > 0;
        const names = new Set(isOpen ? [] : propertyNames(checker, expected));
        for (const { key, computed } of isOpen ? [] : node.properties) {
          if (key?.type === "Identifier" && !computed && !names.has(key.name)) {
            report({
              node: key,
              message: "Leave out {{name}}, which {{type}} doesn't have.",
              data: { name: key.name, type: checker.typeToString(expected) },
            });
          }
        }
      },
    };
  },
};

/** The names of all properties that a type can have, in any member of a union. */
function propertyNames(checker, type) {
  const members = type.isUnion() ? type.types : [type];
  return members.flatMap((each) => checker.getPropertiesOfType(each).map(({ name }) => name));
}

/**
 * A file of another top folder is imported by the `index.ts` of its room, which says what the room gives away. Rooms are
 * the top folders, but for those of `deep`, whose own folders are the rooms. Generated files have none.
 */
const roomIndex = {
  meta: {
    type: "problem",
    schema: [
      {
        type: "object",
        properties: {
          rooms: { type: "array", items: { type: "string" } },
          deep: { type: "array", items: { type: "string" } },
        },
        additionalProperties: false,
      },
    ],
  },
  create({ cwd, filename, options: [{ rooms, deep }], report }) {
    const check = ({ source }) => {
      if (source === null || !source.value.startsWith(".")) {
        return;
      }
      const [own] = relative(cwd, filename).split(sep);
      const target = relative(cwd, join(dirname(filename), source.value)).split(sep);
      const [top] = target;
      const depth = deep.includes(top) ? 2 : 1;
      if (top !== own && rooms.includes(top) && target.length > depth && !target.includes("gen")) {
        const room = target.slice(0, depth).join("/");
        report({
          node: source,
          message: "Import from {{room}}, and name in {{room}}/index.ts what it gives away.",
          data: { room },
        });
      }
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** A plugin with these rules. */
export const dialect = {
  rules: {
    "constant-case": constantCase,
    "defined-properties": definedProperties,
    "import-order": importOrder,
    "private-keyword": privateKeyword,
    "room-index": roomIndex,
    "throws-without-braces": throwsWithoutBraces,
  },
};
