import { readAdoptArguments } from "../../../scripts/adopt/adoptArguments";
import { newestOf } from "../../../scripts/adopt/fetchTalos";

it("compares with the newest release of the same minor or the one before", () => {
  expect(readAdoptArguments(["v1.15.0-alpha.1"])).toEqual({
    release: "v1.15.0-alpha.1",
    since: "v1.14.1",
    reportOnly: false,
    report: undefined,
  });
  expect(readAdoptArguments(["v1.14.9"]).since).toBe("v1.14.1");
  expect(readAdoptArguments(["v1.13.9"]).since).toBe("v1.12.1");
  expect(readAdoptArguments(["newest"]).since).toBe("v1.14.1");
});

it("takes the release to compare with, and where the report goes", () => {
  const words = ["v1.14.1", "--since", "v1.13.9", "--report-only", "--report", "report.md"];
  expect(readAdoptArguments(words)).toEqual({
    release: "v1.14.1",
    since: "v1.13.9",
    reportOnly: true,
    report: "report.md",
  });
});

it.each([
  [[], "usage: npm run adopt"],
  [["v1.15.0", "v1.16.0"], "usage: npm run adopt"],
  [["1.15"], '"1.15" is no release of Talos: write one like v1.15.0 or v1.15.0-alpha.1'],
  [["v1.15.0", "--since", "v1.9.0"], 'no facts of Talos "v1.9.0": choose one of v1.10.6, v1.11.6'],
])("refuses %j", (words, message) => {
  expect(() => readAdoptArguments(words)).toThrow(message);
});

it("knows the newest of the releases that a proxy names, also before the final one", () => {
  expect(newestOf(["v1.9.0", "v1.15.0-alpha.1", "v1.14.10", "v1.14.9"])).toBe("v1.15.0-alpha.1");
  expect(newestOf(["v1.15.0-beta.0", "v1.15.0", "v1.15.0-alpha.9"])).toBe("v1.15.0");
  expect(() => newestOf([])).toThrow("names no release");
});
