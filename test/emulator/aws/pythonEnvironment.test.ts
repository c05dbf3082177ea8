import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureMoto } from "../../../emulator/aws/pythonEnvironment";

describe("ensureMoto", () => {
  const searchPath = process.env.PATH;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "ensure-moto-"));
    await mkdir(path.join(folder, "bin"));
  });

  afterEach(async () => {
    process.env.PATH = searchPath;
    await rm(folder, { recursive: true, force: true });
  });

  /** Puts a python3 on an otherwise empty PATH. */
  async function onlyPython(script: string): Promise<void> {
    await symlink("/bin/sh", path.join(folder, "bin", "sh"));
    await writeFile(path.join(folder, "bin", "python3"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    process.env.PATH = path.join(folder, "bin");
  }

  it("does nothing if moto is installed", async () => {
    const { python } = await ensureMoto();
    const lines: string[] = [];
    const again = await ensureMoto({ onLog: (line) => lines.push(line) });
    expect(again.python).toBe(python);
    expect(lines).toEqual([]);
  });

  it("installs only files that are known by their hash", async () => {
    const file = path.join(__dirname, "../../../emulator/aws/moto/requirements.txt");
    const packages = (await readFile(file, "utf8"))
      .split(/\n(?=\w)/)
      .filter((text) => /^\w/.test(text));
    expect(packages.length).toBeGreaterThan(50);
    for (const text of packages) {
      expect(text).toMatch(/^\S+==\S+ \\\n( {4}--hash=sha256:[0-9a-f]{64}( \\)?\n?)+$/);
    }
    const module = path.join(__dirname, "../../../emulator/aws/pythonEnvironment.ts");
    expect(await readFile(module, "utf8")).toContain('"--require-hashes"');
  });

  it("says what to install if Python is missing", async () => {
    process.env.PATH = path.join(folder, "bin");
    await expect(ensureMoto({ cacheDir: folder })).rejects.toThrow(
      /Python 3\.10 or later.*no python3 is on PATH; install it.*apt-get install python3 python3-venv/,
    );
  });

  it("reports a Python that is too old", async () => {
    await onlyPython("echo 3.8");
    await expect(ensureMoto({ cacheDir: folder })).rejects.toThrow("python3 is Python 3.8");
  });

  it("reports a Python that can't create virtual environments", async () => {
    await onlyPython('case "$2" in *version_info*) echo 3.12;; *) exit 1;; esac');
    await expect(ensureMoto({ cacheDir: folder })).rejects.toThrow(
      "python3 (Python 3.12) has no venv module",
    );
  });

  it("shows the output of a failed installation, and leaves no lock", async () => {
    await onlyPython(
      'case "$*" in *version_info*) echo 3.12;; *ensurepip*) ;; *) echo no space >&2; exit 7;; esac',
    );
    const attempt = () => ensureMoto({ cacheDir: folder });
    await expect(attempt()).rejects.toThrow(/exit code 7:\nno space/);
    await expect(attempt()).rejects.toThrow(/exit code 7:\nno space/);
  });
});
