import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "../../../provider";
import { readPatchArgument, readPatchFiles } from "../../../provider/render/readPatchFiles";

const folder = mkdtempSync(join(tmpdir(), "patches-"));
const given = relative(process.cwd(), join(folder, "worker.yaml"));
const text = "machine: {sysctls: {a: '1'}}\n";

beforeAll(() => {
  writeFileSync(join(folder, "worker.yaml"), text);
  mkdirSync(join(folder, "folder.yaml"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("file names are replaced by the files' content; the rest stays, in order", () => {
  const others: Patch[] = [
    text,
    { machine: {} },
    [{ op: "remove", path: "/machine" }],
    { file: "a", text },
  ];
  const [first, ...rest] = readPatchFiles([`@${given}`, ...others]);
  expect(first).toEqual({ file: given, text });
  expect(rest).toEqual(others);
});

test("all files that can't be read are named at once, by patch, with the reason", () => {
  const missing = join(folder, "nope.yaml");
  const isFolder = join(folder, "folder.yaml");
  expect(() => readPatchFiles([`@${missing}`, text, `@${isFolder}`])).toThrow(
    [
      `patches[0]: the patch file ${missing} can't be used: the file does not exist`,
      `patches[2]: the patch file ${isFolder} can't be used: it is a folder`,
    ].join("\n"),
  );
});

test.each<[string, unknown]>([
  ["a string", "machine: {sysctls: {secret: hidden}}"],
  ["a mapping", { machine: { token: "hidden" } }],
  ["a number", 7],
  ["null", null],
  ["undefined", undefined],
])("%s instead of the list is rejected, without quoting it", (what, patches) => {
  const read = () => readPatchFiles(patches as Patch[]);
  expect(read).toThrow(`patches: must be a list of patches, not ${what}: `);
  expect(read).not.toThrow("hidden");
});

test("outputs are read too, and a secret stays secret", async () => {
  const read = readPatchArgument([pulumi.secret(`@${given}`), pulumi.output({ machine: {} })]);
  const value = await new Promise((resolve) => read.apply(resolve));
  expect(value).toEqual([{ file: given, text }, { machine: {} }]);
  expect(await pulumi.isSecret(read)).toBe(true);
});
