import { formatByteSize, parseByteSize } from "../../../../provider/config/schema/byteSize";

test.each([
  ["1024", 1024],
  ["10GiB", 10 * 1024 ** 3],
  ["10Gi", 10 * 1024 ** 3],
  ["10 gb", 10_000_000_000],
  ["1,5k", 15_000],
  ["1.5 TB", 1_500_000_000_000],
  ["1.9B", 1],
  ["", undefined],
  ["GB", undefined],
  ["1.2.3", undefined],
  ["-1GB", undefined],
  ["10ib", undefined],
  ["16EiB", undefined],
])("%j is %j bytes", (text, bytes) => {
  expect(parseByteSize(text)).toBe(bytes);
});

test.each([
  [9, "9 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [100_000_000, "100 MB"],
  [1_550_000_000, "1.6 GB"],
  [12_345_678, "12 MB"],
])("%d bytes are %j", (bytes, text) => {
  expect(formatByteSize(bytes)).toBe(text);
});
