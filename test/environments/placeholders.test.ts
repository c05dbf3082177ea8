import { findPlaceholders } from "../../environments/placeholders";
import { parseSettings } from "../../environments/settings";
import { rawSettings } from "./settingsFile";

const found = (changes: Record<string, unknown>) =>
  findPlaceholders(parseSettings(rawSettings("sandbox", changes)).cluster).map(
    ({ property }) => property,
  );
const own = { domain: "acme.io", operatorCidrs: ["8.8.8.8/32"] };

describe("findPlaceholders", () => {
  it.each(["sandbox", "staging", "production"])("finds those that %s is shipped with", (stack) => {
    const problems = findPlaceholders(parseSettings(rawSettings(stack)).cluster);
    expect(problems.map(({ property }) => property)).toEqual(["domain", "operatorCidrs[0]"]);
  });

  it("finds none once they are replaced", () => {
    expect(found(own)).toEqual([]);
  });

  it.each(["example.com", "a.example.org", "corp.test", "x.invalid", "talos.example"])(
    "knows that nobody owns %s",
    (domain) => {
      expect(found({ ...own, domain })).toEqual(["domain"]);
    },
  );

  it.each(["example.io", "myexample.com", "latest.com", "test.com"])(
    "knows that somebody may own %s",
    (domain) => {
      expect(found({ ...own, domain })).toEqual([]);
    },
  );

  it("knows the ranges that nobody calls from, in part or in whole", () => {
    expect(found({ ...own, operatorCidrs: ["203.0.113.7/32", "8.8.8.8/32"] })).toEqual([
      "operatorCidrs[0]",
    ]);
    expect(found({ ...own, kubernetesApiCidrs: ["8.8.8.0/24", "198.51.0.0/16"] })).toEqual([
      "kubernetesApiCidrs[1]",
    ]);
  });
});
