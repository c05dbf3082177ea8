import { sourceDecisions } from "../../../scripts/adopt/sourceDecisions";
import { upstreamChanges } from "../../../scripts/adopt/upstreamChanges";

const server = "internal/app/machined/internal/server/v1alpha1/v1alpha1_server.go";
const rule = "pkg/machinery/config/types/block/trim.go";
const gone = "internal/app/lifecycle/old.go";

const before = {
  [server]: "func (s *Server) Install() {\n\treturn 1\n}\n\nfunc helper() { a }\n",
  [rule]: "func (c *Trim) Validate() error {\n\treturn nil\n}\n",
  [gone]: "func one() { a }\n",
  "pkg/same.go": "func same() { a }\n",
};
const after = {
  [server]: "func (s *Server) Install() {\n\treturn 2\n\treturn 3\n}\n\nfunc helper() { a }\n",
  [rule]: "func (c *Trim) Validate() error {\n\treturn err\n}\n",
  "internal/app/lifecycle/inner/old.go": "func one() { a }\n",
  "pkg/same.go": "func same() { a }\n",
};
const ours = {
  "provider/a.ts": "What `Install` does: v1alpha1_server.go",
  "provider/b.ts": "We validate, by v1alpha1_server.go and trim.go. Install it.",
};
const citations = new Map([
  [server, ["provider/b.ts", "provider/a.ts"]],
  [rule, ["provider/b.ts"]],
  [gone, ["provider/a.ts"]],
  ["pkg/same.go", ["provider/a.ts"]],
]);

const changes = upstreamChanges(citations, ours, before, after);

it("finds changed files with their lines, functions, and who of ours means these", () => {
  expect(changes.map(({ path }) => path)).toEqual([server, rule, gone]);
  expect(changes[0]).toEqual({
    path: server,
    status: "changed",
    movedTo: [],
    added: 2,
    removed: 1,
    functions: ["Install"],
    ours: [
      { path: "provider/a.ts", names: ["Install"] },
      { path: "provider/b.ts", names: [] },
    ],
  });
});

it("says where a file may have gone", () => {
  expect(changes.find(({ path }) => path === gone)).toMatchObject({
    status: "went",
    movedTo: ["internal/app/lifecycle/inner/old.go"],
  });
});

it("sorts them by what is decided: a running machine first, then configurations", () => {
  const [apply, controllers, rules, others] = sourceDecisions(changes);
  expect(apply?.points).toEqual([
    `\`${server}\`: +2 −1 in **\`Install\`**. On it rest \`provider/a.ts\` (names \`Install\`), \`provider/b.ts\``,
    `\`${gone}\`: is gone, perhaps now \`internal/app/lifecycle/inner/old.go\`. On it rest \`provider/a.ts\``,
  ]);
  expect(controllers?.points).toEqual([]);
  expect(rules?.points).toEqual([
    `\`${rule}\`: +1 −1 in \`Validate\`. On it rest \`provider/b.ts\``,
  ]);
  expect(others?.points).toEqual([]);
});
