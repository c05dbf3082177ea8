import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { updateFile } from "../../../cli/configFiles/updateFile";

describe("updateFile", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "update-"));
    file = join(folder, "config");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const append = (more: string) => (before: string) => ({ text: before + more });
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  it("creates a private file in a private folder", async () => {
    const nested = join(folder, "a/b");
    expect(await updateFile(nested, append("x"))).toEqual({ file: nested, result: { text: "x" } });
    expect([modeOf(nested), modeOf(join(folder, "a"))]).toEqual(["600", "700"]);
  });

  it("removes permissions of other users and reports it, also if the text is unchanged", async () => {
    writeFileSync(file, "x");
    chmodSync(file, 0o644);
    expect((await updateFile(file, append(""))).narrowedFrom).toBe("0644");
    expect(modeOf(file)).toBe("600");
    expect(await updateFile(file, append("y"))).not.toHaveProperty("narrowedFrom");
    expect(readFileSync(file, "utf8")).toBe("xy");
    expect(readdirSync(folder)).toEqual(["config"]);
  });

  it("keeps a symbolic link", async () => {
    const link = join(folder, "link");
    writeFileSync(file, "x", { mode: 0o600 });
    symlinkSync(file, link);
    expect((await updateFile(link, append("y"))).file).toBe(file);
    expect([lstatSync(link).isSymbolicLink(), readFileSync(file, "utf8")]).toEqual([true, "xy"]);
  });

  it("changes nothing and leaves nothing behind when the change fails", async () => {
    writeFileSync(file, "x", { mode: 0o600 });
    const refuse = () => {
      throw new Error("no");
    };
    await expect(updateFile(file, refuse)).rejects.toThrow("no");
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["x", ["config"]]);
  });

  it("fails while another program holds the lock, and lets only one of two writers through", async () => {
    writeFileSync(`${file}.lock`, "");
    await expect(updateFile(file, append("x"))).rejects.toThrow(`"${file}.lock" exists`);
    rmSync(`${file}.lock`);
    const both = await Promise.allSettled([
      updateFile(file, append("x")),
      updateFile(file, append("x")),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
