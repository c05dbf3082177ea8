import { suggest } from "../../../provider/config/suggestion";

const keys = ["kubelet", "network", "install", "features", "hostDNS", "nodeLabels"];

test.each([
  ["kubelt", "kubelet"],
  ["newtork", "network"],
  ["hostDns", "hostDNS"],
  ["HOSTDNS", "hostDNS"],
  ["nodelabel", "nodeLabels"],
  ["banana", undefined],
  ["x", undefined],
])("%s: did you mean %s?", (word, expected) => {
  expect(suggest(word, keys)).toBe(expected);
});

test("the nearest of several, within the limit", () => {
  expect(suggest("cat", ["cart", "cat", "car"])).toBe("cat");
  expect(suggest("abcdef", ["abXXef"], 1)).toBeUndefined();
});
