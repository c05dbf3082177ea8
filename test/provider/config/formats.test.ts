import { formats } from "../../../provider/config/formats";
import { talosSchema } from "../../../provider/config/talosSchemas";

test.each<readonly [string, readonly string[], readonly string[]]>([
  ["base64", ["YWJj", "YWI=", "YWJj\nYWJj"], ["###", "YWI", "a=b="]],
  [
    "url",
    ["https://a:1/b?c", "tcp://10.0.0.1:5000", "grpc://a"],
    ["a:6443", "nope", "//a", "https://"],
  ],
  ["ip", ["10.0.0.1", "fd00::1"], ["10.0.0.300", "10.0.0.0/8", "a"]],
  [
    "cidr",
    ["10.0.0.0/8", "fd00::/64", "0.0.0.0/0"],
    ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/08", "a/8", "10.0.0.0/8/8"],
  ],
  [
    "ipPort",
    ["10.0.0.1:80", "[fd00::1]:443"],
    ["10.0.0.1", "fd00::1:443", "a:80", "10.0.0.1:99999"],
  ],
  ["hardwareAddress", ["02:00:5e:10:00:01", "00"], ["02-00", "0g:00", "1:2"]],
  ["duration", ["1h30m", "0"], ["10", "1d"]],
  ["size", ["10GiB", "1,000", "1.5 TB", "500", "10k"], ["x", "10ib", "GB", "-1GB"]],
  ["percentage", ["50%", "0.5%", "100%"], ["101%", "50", "-1%"]],
  ["sizeOrPercentage", ["50%", "1GB"], ["x%"]],
  ["sizeCondition", [">= 10GB", "<1TB", "100GB"], ["> x", "10GB <"]],
  ["portRange", ["80", "100-200"], ["200-100", "a", "1-99999", "-1"]],
  [
    "routingTable",
    ["main", "local", "default", "unspec", "1", "252"],
    ["mian", "0", "253", "01", "-1", "1.5"],
  ],
  ["cel", ["!system_disk"], ["a =="]],
])("%s", (name, good, bad) => {
  const format = formats.get(name);
  expect(good.filter((text) => format?.accepts(text) !== true)).toEqual([]);
  expect(bad.filter((text) => format?.accepts(text) !== false)).toEqual([]);
});

test("every format of the schemas is known, and none besides", () => {
  const files = ["v1.10", "v1.11", "v1.12", "v1.13"].map((minor) => talosSchema(minor).file);
  const used = JSON.stringify(files).match(/"format":"\w+"/g) ?? [];
  const names = new Set(used.map((entry) => entry.slice('"format":"'.length, -1)));
  // percentages stand in fields that take sizes, too
  expect([...names, "percentage"].sort()).toEqual([...formats.keys()].sort());
});
