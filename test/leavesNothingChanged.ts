/**
 * Files of one process share all that is global: one that leaves something of it changed fails, and
 * not some other one that happens to come after it.
 */
const before = globalState();

afterAll(() => {
  expect(globalState()).toEqual(before);
});

function globalState() {
  return {
    environment: { ...process.env },
    workingFolder: process.cwd(),
    exitCode: process.exitCode,
    hasFakeTimers: vi.isFakeTimers(),
  };
}
