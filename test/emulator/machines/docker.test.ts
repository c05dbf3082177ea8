import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ensureImage, imageOf } from "../../../emulator/machines/docker/dockerImage";
import { dockerMachines } from "../../../emulator/machines/docker/dockerMachines";
import { parseRoutes } from "../../../emulator/machines/docker/dockerNetwork";
import { ownerMark } from "../../../emulator/machines/docker/dockerOwner";
import { runDocker } from "../../../emulator/machines/docker/runDocker";
import { givenMachines, machineArguments } from "../../../emulator/machines/givenMachines";

/** Keeps its arguments, and fails or answers as files say, which are named after the first one. */
const DOCKER = `#!/bin/sh
folder=$(dirname "$0")
echo "$*" >> "$folder/calls"
if [ -f "$folder/$1.errors" ]; then cat "$folder/$1.errors" >&2; exit 1; fi
if [ -f "$folder/$1.output" ]; then cat "$folder/$1.output"; fi
`;

/** Documentation's addresses (RFC 5737), which no computer routes by itself. */
const RANGE = "203.0.113.0/24";

// The engine itself: test/conformance/dockerMachines.test.ts.
describe("containers of Docker", () => {
  const path = process.env.PATH ?? "";
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-docker-"));
    writeFileSync(join(folder, "docker"), DOCKER);
    chmodSync(join(folder, "docker"), 0o755);
    process.env.PATH = [folder, path].join(delimiter);
  });

  afterEach(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true });
  });

  const answers = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const calls = () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
  const start = (range = RANGE) => dockerMachines({ range }, () => undefined);

  it("need the program", async () => {
    process.env.PATH = mkdtempSync(join(folder, "empty-"));
    await expect(start()).rejects.toThrow(
      "there is no program `docker` on PATH: install Docker Engine",
    );
  });

  it.each([
    [
      "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
      "no Docker engine answers: start it",
    ],
    [
      "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock",
      'add it to the group "docker"',
    ],
    ["something else", "`docker info --format` failed: something else"],
  ])("say what to do when Docker says: %s", async (complaint, message) => {
    answers("info.errors", complaint);
    await expect(start()).rejects.toThrow(message);
  });

  it("need cgroup v2", async () => {
    answers("info.output", "1\n");
    await expect(start()).rejects.toThrow("uses cgroup v1");
  });

  it.each(["10.0.0.0", "fd00::/64", "ten"])("can't have the range %s", async (range) => {
    answers("info.output", "2\n");
    await expect(start(range)).rejects.toThrow(`"${range}" is no IPv4 range`);
  });

  const [route] = parseRoutes(readRoutes());

  it.runIf(route !== undefined)("have no range that this computer reaches elsewhere", async () => {
    answers("info.output", "2\n");
    await expect(start(route?.destination)).rejects.toThrow(
      `overlaps with ${route?.destination ?? ""}, which this computer reaches by its interface`,
    );
  });

  it("have no network of Docker's that is there already", async () => {
    answers("info.output", "2\n");
    writeFileSync(
      join(folder, "docker"),
      `${DOCKER}case "$*" in "network create"*) echo "Pool overlaps with other one on this address space" >&2; exit 1;; esac\n`,
    );
    await expect(start()).rejects.toThrow(`${RANGE} belongs to a network of Docker already`);
  });

  it("leave no network where this computer isn't in it", async () => {
    answers("info.output", "2\n");
    await expect(start()).rejects.toThrow("it has no address 203.0.113.1");
    expect(calls()).toContainEqual(expect.stringMatching(/^network create .* talos-aws-\d+$/));
    expect(calls().at(-1)).toBe(`network rm talos-aws-${process.pid}`);
  });

  it("have the image of their release, which is pulled once", async () => {
    expect(imageOf("v1.14.1")).toBe("ghcr.io/siderolabs/talos:v1.14.1");
    expect(imageOf("v1.14.1", "registry:5000/talos")).toBe("registry:5000/talos:v1.14.1");
    expect(imageOf("v1.14.1", "registry:5000/talos:own")).toBe("registry:5000/talos:own");
    answers("image.output", "66e2ecbd884f\n");
    await ensureImage("talos:own", () => undefined);
    expect(calls()).toEqual(["image ls --quiet talos:own"]);
  });

  it("say that an image can't be had", async () => {
    answers("pull.errors", "manifest unknown");
    await expect(ensureImage("talos:v9", () => undefined)).rejects.toThrow(
      "`docker pull --quiet` failed: manifest unknown: check that the release exists",
    );
  });

  it("get what is secret in their environment", async () => {
    writeFileSync(join(folder, "docker"), `${DOCKER}echo "$USERDATA"\n`);
    const { output } = await runDocker(["create", "--env", "USERDATA"], { USERDATA: "secret" });
    expect(output).toBe("secret\n");
    expect(calls()).toEqual(["create --env USERDATA"]);
  });

  it("belong to a process, not to another one of the same id", async () => {
    expect(await ownerMark(process.pid)).toMatch(new RegExp(`^${process.pid} \\w+`));
    expect(await ownerMark(2 ** 22 + 1)).toBeUndefined();
    answers("info.output", "2\n");
    const owner = (await ownerMark(process.pid)) ?? "";
    const other = owner.replace(/\d{4}$/, "1999");
    answers("ps.output", `mine\t${owner}\nabandoned\t${other}\ngone\t4194305 never\n`);
    await expect(start()).rejects.toThrow("no address");
    expect(calls()).toContain("rm --force --volumes abandoned gone");
  });
});

/** Of this computer; other systems than Linux have no such file. */
function readRoutes(): string {
  return existsSync("/proc/net/route") ? readFileSync("/proc/net/route", "utf8") : "";
}

it("reads the routes of Linux", () => {
  const table = [
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT",
    "eth0\t00000000\t0101000A\t0003\t0\t0\t0\t00000000\t0\t0\t0",
    "tun0\t0000000A\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0",
    "eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0",
    "",
  ];
  expect(parseRoutes(table.join("\n"))).toEqual([
    { name: "tun0", destination: "10.0.0.0/8" },
    { name: "eth0", destination: "192.168.1.0/24" },
  ]);
});

describe("the choice of machines", () => {
  it("is the same in another process", () => {
    const docker = {
      machines: "docker",
      "machine-range": "10.1.0.0/16",
      "machine-image": "talos:own",
    };
    expect(machineArguments(givenMachines(docker))).toEqual(
      Object.entries(docker).flatMap(([name, value]) => [`--${name}`, value]),
    );
    expect(machineArguments(givenMachines({ machines: "/a/program" }))).toEqual([
      "--machines",
      "/a/program",
    ]);
    expect(machineArguments(givenMachines({}))).toEqual([]);
  });

  it.each([{ "machine-range": "10.1.0.0/16" }, { machines: "/a", "machine-image": "talos" }])(
    "has Docker's options with Docker alone: %j",
    (options) => {
      expect(() => givenMachines(options)).toThrow("are for `--machines docker` alone");
    },
  );
});
