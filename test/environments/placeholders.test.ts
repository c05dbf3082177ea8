import { findPlaceholders } from "../../environments/placeholders";
import { parseSettings } from "../../environments/settings";
import { rawSettings } from "./settingsFile";

const found = (changes: Record<string, unknown>) =>
  findPlaceholders(parseSettings(rawSettings("sandbox", changes)).cluster).map(
    ({ property }) => property,
  );
const own = { domain: "acme.io", operatorCidrs: ["8.8.8.8/32"] };

describe("findPlaceholders", () => {
  it.each(["sandbox", "staging", "production"])(
    "finds those in the shipped settings of %s",
    (stack) => {
      const problems = findPlaceholders(parseSettings(rawSettings(stack)).cluster);
      expect(problems.map(({ property }) => property)).toEqual(["domain", "operatorCidrs[0]"]);
    },
  );

  it("finds none once they are replaced", () => {
    expect(found(own)).toEqual([]);
  });

  it.each(["example.com", "a.example.org", "corp.test", "x.invalid", "talos.example"])(
    "reports that %s is a reserved domain",
    (domain) => {
      expect(found({ ...own, domain })).toEqual(["domain"]);
    },
  );

  it.each(["example.io", "myexample.com", "latest.com", "test.com"])(
    "accepts the domain %s",
    (domain) => {
      expect(found({ ...own, domain })).toEqual([]);
    },
  );

  it("reports documentation ranges, in part or in whole", () => {
    expect(found({ ...own, operatorCidrs: ["203.0.113.7/32", "8.8.8.8/32"] })).toEqual([
      "operatorCidrs[0]",
    ]);
    expect(found({ ...own, kubernetesApiCidrs: ["8.8.8.0/24", "198.51.0.0/16"] })).toEqual([
      "kubernetesApiCidrs[1]",
    ]);
  });
});
