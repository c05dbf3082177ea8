import { omitTraces } from "../../../provider/engine/omitTraces";

function traceMeanwhile(): string | undefined {
  const restore = omitTraces();
  try {
    return new Error("meanwhile").stack;
  } finally {
    restore();
  }
}

afterEach(() => {
  vi.unstubAllEnvs();
});

it("takes no stack traces meanwhile, and does afterwards", () => {
  expect(traceMeanwhile()).toBe("Error: meanwhile");
  expect(new Error("afterwards").stack).toContain("omitTraces.test.ts");
});

it("leaves them to people who look for promises that never end", () => {
  vi.stubEnv("PULUMI_DEBUG_PROMISE_LEAKS", "true");
  expect(traceMeanwhile()).toContain("omitTraces.test.ts");
});
