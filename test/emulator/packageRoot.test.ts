import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const CHECKOUT = "pulumi-talos-aws";
const EMULATOR = "@pulumi-talos-aws/emulator";
const compiled = join(__dirname, "../../dist/emulator/packageRoot.js");

describe("packageRoot", () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "package-root-")));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["a build", "a/dist/emulator", { a: CHECKOUT, "a/emulator": EMULATOR }, "a"],
    ["the emulator's build", "a/emulator/dist", { a: CHECKOUT, "a/emulator": EMULATOR }, "a"],
    [
      "a copy inside another checkout",
      "a/.cache/b/dist/emulator",
      { a: CHECKOUT, "a/.cache/b": CHECKOUT },
      "a/.cache/b",
    ],
    [
      "a user's project",
      "p/node_modules/@pulumi-talos-aws/emulator/dist",
      { p: "of-a-user", "p/node_modules/@pulumi-talos-aws/emulator": EMULATOR },
      "p/node_modules/@pulumi-talos-aws/emulator",
    ],
  ])("is right for %s", (_, place, packages, root) => {
    for (const [path, name] of Object.entries(packages)) {
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, "package.json"), JSON.stringify({ name }));
    }
    const file = join(folder, place, "packageRoot.js");
    mkdirSync(dirname(file), { recursive: true });
    cpSync(compiled, file);
    const { packageRoot } = createRequire(file)(file) as { readonly packageRoot: () => string };
    expect(packageRoot()).toBe(join(folder, root));
  });
});
