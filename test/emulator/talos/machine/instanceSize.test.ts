import { instanceSize } from "../../../../emulator/talos/machine/instanceSize";

test.each([
  ["m6i.large", 2, 8],
  ["c6i.xlarge", 4, 8],
  ["r6g.2xlarge", 8, 64],
  ["t3.medium", 2, 4],
  ["t3.micro", 2, 1],
  ["unheard.of", 2, 8],
])("%s has %i processors and about %i GiB", (type, processors, gibibytes) => {
  const size = instanceSize(type);
  expect(size.processors).toBe(processors);
  const actual = size.memoryBytes / 1024 ** 3;
  expect(actual).toBeLessThan(gibibytes);
  expect(actual).toBeGreaterThan(gibibytes * 0.95);
});
