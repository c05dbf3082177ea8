import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { sharedSecrets } from "../pki/sharedSecrets";
import { expectNoSecrets, machineConfigurationInputs } from "../resources/samples";
import { mistakes } from "./mistakes";

test("there are twenty kinds of mistakes", () => {
  expect(new Set(mistakes.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
});

test.each(mistakes)("$name", async ({ given, told }) => {
  const inputs = await machineConfigurationInputs();
  const { failures } = await handler.check(undefined, { ...inputs, ...given });
  expect(failures.map(({ property, reason }) => `${property}: ${reason}`)).toEqual(told);
  expectNoSecrets(failures, await sharedSecrets());
});
