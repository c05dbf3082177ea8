import { formats } from "../../../../provider/config/schema/formats";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";

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
  ["hardwareAddress", ["02:00:5e:10:00:01", "00", "0200"], ["02-00", "0g:00", "1:2:3"]],
  ["duration", ["1h30m", "0"], ["10", "1d"]],
  ["diskSize", ["10GiB", "100 MB"], ["x"]],
  ["size", ["10GiB", "1,000", "1.5 TB", "500", "10k"], ["x", "10ib", "GB", "--1GB"]],
  ["sizeOrPercentage", ["50%", "0.5%", "100%", "1GB", "-1GB", "-10%"], ["x%", "101%", "--1%"]],
  ["sizeCondition", [">= 10GB", "<1TB", "100GB"], ["> x", "10GB <"]],
  ["portRange", ["80-80", "100-200"], ["80", "200-100", "a", "1-99999", "-1"]],
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

test.each<readonly [string, string, string | number]>([
  ["base64", "YW\nJj\n", "YWJj"],
  ["url", "HTTPS://A.example.com/B", "https://A.example.com/B"],
  ["ip", "FD00:0:0::1", "fd00::1"],
  ["ip", "::ffff:10.0.0.1", "::ffff:10.0.0.1"],
  ["ip", "FE80::1%eth0", "fe80::1%eth0"],
  ["ip", "10.0.0.1", "10.0.0.1"],
  ["cidr", "FD00:0::/64", "fd00::/64"],
  ["ipPort", "[FD00:0::1]:443", "[fd00::1]:443"],
  ["hardwareAddress", "0A0B:0c", "0a:0b:0c"],
  ["duration", "90s", "1m30s"],
  ["diskSize", "100000000", "100 MB"],
  ["diskSize", "1.5TB", "1.5 TB"],
  ["diskSize", "10GiB", 10_737_418_240],
  ["diskSize", "0", ""],
  ["portRange", "080-090", "80-90"],
  ["portRange", "80-80", 80],
  ["portRange", "80", 80],
])("Talos writes the %s %j as %j", (name, text, written) => {
  const format = formats.get(name);
  expect(format?.canonical?.(text)).toBe(written);
  expect(format?.canonical?.(String(written))).toBe(written);
});

test("an empty text means unset, except if Talos can't read it", () => {
  const refusing = [...formats]
    .filter(([, { refusesEmpty }]) => refusesEmpty)
    .map(([name]) => name);
  expect(refusing).toEqual(["duration", "diskSize", "routingTable"]);
});

test("exactly the schemas' formats are known", () => {
  const files = ["v1.10", "v1.11", "v1.12", "v1.13"].map((minor) => talosSchema(minor).file);
  const used = JSON.stringify(files).match(/"format":"\w+"/g) ?? [];
  const names = new Set(used.map((entry) => entry.slice('"format":"'.length, -1)));
  expect([...names].sort()).toEqual([...formats.keys()].sort());
});
