import { join } from "node:path";
import { runInThisContext } from "node:vm";
import ts from "typescript";

let withLazyImports: (compiled: string) => string;

beforeAll(async () => {
  const step = (await import(join(__dirname, "../../scripts/lazyImports.mjs"))) as {
    withLazyImports: typeof withLazyImports;
  };
  withLazyImports = step.withLazyImports;
});

/** Runs a module as the build writes it; `loaded` gets the name of each one that it loads. */
function run(source: string, modules: Record<string, unknown>) {
  const loaded: string[] = [];
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  const exports: Record<string, unknown> = {};
  const require = (name: string) => {
    loaded.push(name);
    return modules[name];
  };
  const wrapped = `(function (exports, require) {${withLazyImports(outputText)}\n})`;
  (runInThisContext(wrapped) as (...given: unknown[]) => void)(exports, require);
  return { exports, loaded, outputText };
}

describe("imports of a built module", () => {
  it("load once, at their first use", () => {
    const { exports, loaded } = run(
      'import { one } from "./one"; import { Two } from "./two"; export const use = () => [...one, new Two()];',
      { "./one": { one: [1] }, "./two": { Two: Map } },
    );
    expect(loaded).toEqual([]);
    const use = exports.use as () => unknown[];
    expect([use().length, use().length]).toEqual([2, 2]);
    expect(loaded).toEqual(["./one", "./two"]);
  });

  it("may be re-exported, by name or as default", () => {
    const { exports, loaded } = run(
      'import text from "./text"; export { other } from "./other"; export const use = () => text;',
      { "./text": "a text", "./other": { other: 2 } },
    );
    expect(loaded).toEqual([]);
    expect(exports.other).toBe(2);
    expect((exports.use as () => unknown)()).toBe("a text");
  });

  it("load at once if they are imported for their effect, or as a namespace", () => {
    const { loaded } = run(
      'import "./effect"; import * as whole from "./whole"; export const use = () => whole; export * from "./all";',
      { "./whole": {}, "./all": {} },
    );
    expect(loaded).toEqual(["./effect", "./whole", "./all"]);
  });

  it("load the services and functions of AWS that they use, and no others", () => {
    const { exports, loaded } = run(
      'import * as aws from "@pulumi/aws"; export const use = () => [aws.ec2.Vpc, aws\n.getRegionOutput];',
      { "@pulumi/aws/ec2": { Vpc: 1 }, "@pulumi/aws/getRegion": { getRegionOutput: 2 } },
    );
    expect(loaded).toEqual([]);
    expect((exports.use as () => unknown)()).toEqual([1, 2]);
    expect(loaded).toEqual(["@pulumi/aws/ec2", "@pulumi/aws/getRegion"]);
  });

  it("load all of AWS for what is in none of its services", () => {
    const { loaded } = run('import * as aws from "@pulumi/aws"; export const use = () => aws.no;', {
      "@pulumi/aws": {},
    });
    expect(loaded).toEqual(["@pulumi/aws"]);
  });

  it("are rewritten once, on the same lines", () => {
    const { outputText } = run('import { one } from "./one";\nexport const use = () => one;', {});
    const lazy = withLazyImports(outputText);
    expect(withLazyImports(lazy)).toBe(lazy);
    expect(lazy.split("\n")).toHaveLength(outputText.split("\n").length);
  });
});
