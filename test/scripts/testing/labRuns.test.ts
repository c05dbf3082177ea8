import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestRun } from "../../../scripts/seededRuns";
import { lifeRuns, machineRuns } from "../../../scripts/testing/labFiles";
import { LAB_RELEASES, labReleasesOf } from "../../../scripts/testing/labReleases";
import { type LabRun, runOnEachRelease } from "../../../scripts/testing/labRuns";

const talos: LabRun = { lab: "TALOS_LAB", files: ["labClient", "labRestore"] };
const kubernetes: LabRun = {
  lab: "KUBERNETES_LAB",
  files: ["labRecordedHealth"],
  environment: { KUBERNETES_LIFE: "once" },
};

/** Runs that are written down, each with the exit code of its turn. */
function recorder(codes: readonly number[] = []) {
  const runs: TestRun[] = [];
  return {
    runs,
    run: (each: TestRun) => Promise.resolve(codes[runs.push(each) - 1] ?? 0),
  };
}

const said: string[] = [];

beforeEach(() => {
  said.splice(0);
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
});
afterEach(() => vi.restoreAllMocks());

it("runs the files of each lab on each release", async () => {
  const { runs, run } = recorder();
  const labs = { TALOS_LAB: "/t", KUBERNETES_LAB: "/k" };
  expect(await runOnEachRelease([talos, kubernetes], [], labs, run)).toBe(0);
  const wanted = LAB_RELEASES.flatMap((release) => [
    {
      words: ["conformance", "labClient", "labRestore"],
      environment: { TALOS_LAB_RELEASE: release },
    },
    {
      words: ["conformance", "labRecordedHealth"],
      environment: { KUBERNETES_LIFE: "once", TALOS_LAB_RELEASE: release },
    },
  ]);
  expect(runs).toEqual(wanted);
});

it("runs on the chosen release alone, and the named files once", async () => {
  const { runs, run } = recorder();
  const environment = { TALOS_LAB: "/t", KUBERNETES_LAB: "/k", TALOS_LAB_RELEASE: "v1.14.1" };
  await runOnEachRelease([talos, kubernetes], ["labDrain"], environment, run);
  expect(runs.map(({ words }) => words)).toEqual([["conformance", "labDrain"]]);
});

it("goes on after a failure, and fails", async () => {
  const { runs, run } = recorder([3]);
  expect(await runOnEachRelease([talos], [], { TALOS_LAB: "/t" }, run)).toBe(3);
  expect(runs).toHaveLength(LAB_RELEASES.length);
});

it("leaves out and names what has no lab, and fails where there is none at all", async () => {
  const { runs, run } = recorder();
  expect(await runOnEachRelease([talos, kubernetes], [], { TALOS_LAB: "/t" }, run)).toBe(0);
  expect(runs).toHaveLength(LAB_RELEASES.length);
  expect(said).toEqual([
    "set KUBERNETES_LAB to the program that starts the machines, for labRecordedHealth\n",
  ]);
  expect(await runOnEachRelease([talos], [], {}, run)).toBe(1);
});

it("refuses a release that no lab has", () => {
  expect(() => labReleasesOf("v1.13.9")).toThrow(
    'TALOS_LAB_RELEASE: the tests know v1.12.1 and v1.14.1, not "v1.13.9"',
  );
});

it("leaves out no file that has a lab", () => {
  const parts = [...machineRuns, ...lifeRuns("once")].flatMap(({ files }) => files);
  const files = readdirSync(join(__dirname, "../../conformance")).filter((name) =>
    name.startsWith("lab"),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((name) => !parts.some((part) => name.includes(part)))).toEqual([]);
});
