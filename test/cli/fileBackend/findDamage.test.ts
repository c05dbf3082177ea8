import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { findDamage } from "../../../cli/fileBackend/findDamage";
import { findLocks } from "../../../cli/fileBackend/findLocks";
import { mendFiles } from "../../../cli/fileBackend/mendFiles";
import { folderOfUrl, type StackFiles } from "../../../cli/fileBackend/stackFiles";

const STATE = "stacks/p/s.json";
const BACKUP = "backups/p/s/s.1700000000000000000.json";
const LOCK = "locks/organization/p/s/a.json";
/** Of no process: above the highest number of one. */
const NO_PID = 2 ** 30;

describe("the files of a file backend", () => {
  let folder: string;
  let files: StackFiles;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "file-backend-"));
    files = {
      folder,
      stateFolder: join(folder, "stacks/p"),
      stateName: "s.json",
      lockFolder: join(folder, dirname(LOCK)),
    };
    write("meta.yaml", "version: 1\n");
    write("meta.yaml.attrs", "{}");
    write(STATE, '{"version":3}', 60);
    write(`${STATE}.attrs`, "{}");
    write(`${STATE}.bak`, '{"version":2}', 120);
    write(`${STATE}.bak.attrs`, "{}");
    write("stacks/p/other.json.attrs", "");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a file, some seconds ago. */
  function write(name: string, content: string | Buffer, ago = 30): void {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const at = new Date(Date.now() - ago * 1_000);
    utimesSync(file, at, at);
  }

  const read = (name: string) => readFileSync(join(folder, name), "utf8");

  /** What is found, what mending makes of the state, and what is found then. */
  async function mended() {
    const found = await findDamage(files);
    await mendFiles(found);
    return {
      found: found.map((damage) => {
        const copy =
          "copy" in damage && damage.copy ? ` <- ${relative(folder, damage.copy.file)}` : "";
        return `${damage.kind} ${relative(folder, damage.file)}${copy}`;
      }),
      left: (await findDamage(files)).length,
    };
  }

  it("are whole", async () => {
    expect(await findDamage(files)).toEqual([]);
  });

  it.each([
    ["empty metadata of the state", `${STATE}.attrs`, "", `metadata ${STATE}.attrs`],
    ["half of it", `${STATE}.attrs`, '{"user', `metadata ${STATE}.attrs`],
    ["empty metadata of the former state", `${STATE}.bak.attrs`, "", `metadata ${STATE}.bak.attrs`],
    ["empty metadata of the backend", "meta.yaml.attrs", "", "metadata meta.yaml.attrs"],
    ["empty metadata of a lock", `${LOCK}.attrs`, "", `metadata ${LOCK}.attrs`],
    ["no version of the backend", "meta.yaml", "", "version meta.yaml"],
    ["an empty state", STATE, "", `state ${STATE} <- ${STATE}.bak`],
    ["half a state", STATE, '{"version":3', `state ${STATE} <- ${STATE}.bak`],
    ["a cut-off lock", LOCK, "", `lock ${LOCK}`],
    [
      "a lock of an ended process",
      LOCK,
      JSON.stringify({ pid: NO_PID, username: "a", hostname: hostname() }),
      `lock ${LOCK}`,
    ],
    ["a complete newer draft", `${STATE}.18eb.tmp`, "{}", `draft ${STATE} <- ${STATE}.18eb.tmp`],
  ])("with %s are mended", async (_, name, content, expected) => {
    write(name, content);
    expect(await mended()).toEqual({ found: [expected], left: 0 });
  });

  it.each([
    ["a cut-off draft", `${STATE}.18eb.tmp`, '{"vers'],
    [
      "a lock of a running process",
      LOCK,
      JSON.stringify({ pid: process.pid, hostname: hostname() }),
    ],
    ["a lock of another computer", LOCK, JSON.stringify({ pid: NO_PID, hostname: "other" })],
  ])("with %s are left alone", async (_, name, content) => {
    write(name, content);
    expect(await findDamage(files)).toEqual([]);
    expect((await findLocks(files)).every(({ isActive }) => isActive)).toBe(true);
  });

  it("keep a replaced state, and take the newest complete copy", async () => {
    write(STATE, '{"version":3', 20);
    write(`${STATE}.bak`, "", 30);
    write(`${STATE}.1a.tmp`, '{"vers', 10);
    write(BACKUP, '{"version":1}', 300);
    expect((await mended()).found).toEqual([`state ${STATE} <- ${BACKUP}`]);
    expect(read(STATE)).toBe('{"version":1}');
    const [kept = ""] = readdirSync(files.stateFolder).filter((name) => name.includes("replaced"));
    expect(read(`stacks/p/${kept}`)).toBe('{"version":3');
  });

  it("without any complete copy of the state are left alone", async () => {
    write(STATE, "");
    write(`${STATE}.bak`, "");
    expect(await mended()).toEqual({ found: [`state ${STATE}`], left: 1 });
  });

  it("are also compressed", async () => {
    const text = gzipSync('{"version":3}');
    rmSync(join(folder, STATE));
    write(`${STATE}.gz`, text);
    expect(await findDamage(files)).toEqual([]);
    write(`${STATE}.gz.bak`, text);
    write(`${STATE}.gz`, text.subarray(0, 20));
    expect((await mended()).found).toEqual([`state ${STATE}.gz <- ${STATE}.gz.bak`]);
  });
});

describe("folderOfUrl", () => {
  it.each([
    ["file:///var/state", "/var/state"],
    ["file:///var/state?metadata=skip", "/var/state"],
    ["file:///var/my%20state", "/var/my state"],
    ["file://~", homedir()],
    ["file://~/state", join(homedir(), "state")],
    ["file://./state", "/project/state"],
    ["s3://bucket", undefined],
    ["https://api.pulumi.com", undefined],
  ])("reads %s", (url, expected) => {
    expect(folderOfUrl(url, "/project")).toBe(expected);
  });
});
