import { isMissingModule, replacementsIn, withRelease } from "../../../scripts/adopt/goModule";

const module = "github.com/siderolabs/talos/pkg/machinery";
const goMod = `module oracle

go 1.26.6

require (
	${module} v1.14.1
	go.yaml.in/yaml/v4 v4.0.0
)

replace (
	// why
	example.com/a => example.com/b v1.0.0
	example.com/folder => ./folder
)
`;

it("reads replacements by other releases, not by folders", () => {
  expect(replacementsIn(goMod)).toEqual({ "example.com/a": "example.com/b v1.0.0" });
  expect(replacementsIn("replace example.com/c => example.com/c v2.0.0\n")).toEqual({
    "example.com/c": "example.com/c v2.0.0",
  });
});

it("requires another release, with other replacements", () => {
  const changed = withRelease(goMod, module, "v1.15.0", {
    "example.com/c": "example.com/d v3.0.0",
  });
  expect(changed).toContain(`\t${module} v1.15.0\n`);
  expect(changed).toContain("\tgo.yaml.in/yaml/v4 v4.0.0\n");
  expect(replacementsIn(changed)).toEqual({ "example.com/c": "example.com/d v3.0.0" });
  expect(changed).not.toContain("why");
});

it("requires the module that it is built for", () => {
  expect(() => withRelease("module a\n", module, "v1.15.0", {})).toThrow(module);
});

it.each([
  ["reading https://proxy.golang.org/a: 403 Forbidden", true],
  ["a@v1: unknown revision v1", true],
  ["./main.go:80:25: provider.X undefined", false],
])("tells modules that nobody has from code that doesn't compile: %s", (message, isMissing) => {
  expect(isMissingModule(new Error(message))).toBe(isMissing);
});
