/**
 * An eslint rule: what a module exports carries a doc comment, for readers and for the API reference.
 * `npm run docs` could find the same, but takes half a minute of a processor.
 */
export const documentedExports = {
  meta: { type: "suggestion", schema: [] },
  create(context) {
    return {
      "ExportNamedDeclaration[declaration]"(node) {
        const comment = context.sourceCode.getCommentsBefore(node).at(-1);
        const { declaration } = node;
        if (comment?.type === "Block" && comment.value.startsWith("*")) {
          return;
        }
        const name = nameOf(declaration);
        // The signatures of an overloaded function share the comment of the first.
        const siblings = node.parent.body;
        const before = siblings[siblings.indexOf(node) - 1]?.declaration;
        if (before?.type === "TSDeclareFunction" && nameOf(before) === name) {
          return;
        }
        context.report({
          node,
          message: `the export ${name} has no doc comment: say above it what it is`,
        });
      },
    };
  },
};

function nameOf(declaration) {
  return (declaration.declarations?.[0] ?? declaration).id?.name;
}
