import { renderMachineConfiguration } from "../../../provider/render/renderMachineConfiguration";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "./samples";

const word = "n0t-for-eyes";

/** A role's configuration with the word where no rule would hide it. */
async function check(text: string, markedValues: readonly unknown[] = [word]) {
  const patches = [{ machine: { nodeLabels: { place: text } } }];
  const inputs = { ...(await machineConfigurationInputs()), patches, markedValues };
  return handler.check(undefined, inputs);
}

describe("a value that a program marked as secret", () => {
  it("is in a role's configuration, and not in its outline", async () => {
    const { inputs, failures } = await check(word);
    expect(failures).toEqual([]);
    expect(inputs.machineConfiguration).toContain(word);
    expect(inputs.redactedConfiguration).toMatchObject({
      machine: { nodeLabels: { place: expect.stringMatching(/^«secret hmac:\w{8}»$/) as unknown } },
    });
    const { inputs: open } = await check(word, []);
    expect(JSON.stringify(open.redactedConfiguration)).toContain(word);
    expect(open.machineConfigurationHash).toBe(inputs.machineConfigurationHash);
  });

  it("is not in the message about it", async () => {
    const { failures } = await check(`${word} and more`, [`${word} and more`]);
    expect(failures.length).toBeGreaterThan(0);
    expect(JSON.stringify(failures)).not.toContain(word);
  });

  it("is not in the state", async () => {
    const { inputs } = await check(word);
    expect(handler.transient).toContain("markedValues");
    const { state } = await handler.create(inputs, { warn: vi.fn(), info: vi.fn() } as never);
    const { machineConfiguration: _, ...shown } = state;
    expect(JSON.stringify(shown)).not.toContain(word);
  });

  it("is hidden by the machines that get only the role's text and outline", async () => {
    const { inputs } = await check(word);
    const { machineConfiguration, redactedConfiguration: roleOutline } = inputs;
    const result = renderMachineConfiguration({ machineConfiguration, patches: [], roleOutline });
    expect(result).toMatchObject({ rendered: { marked: [word] } });
    const { outline } = (result as { readonly rendered: { readonly outline: unknown } }).rendered;
    expect(JSON.stringify(outline)).not.toContain(word);
  });

  it("is hidden in a machine's own patches", async () => {
    const { inputs } = await check("open", []);
    const { machineConfiguration, redactedConfiguration: roleOutline } = inputs;
    const patches = [{ machine: { nodeLabels: { own: word } } }];
    const result = renderMachineConfiguration({
      machineConfiguration,
      patches,
      roleOutline,
      marked: [word],
    });
    const { outline } = (result as { readonly rendered: { readonly outline: unknown } }).rendered;
    expect(outline).toMatchObject({
      machine: {
        nodeLabels: {
          place: "open",
          own: expect.stringMatching(/^«secret hmac:\w{8}»$/) as unknown,
        },
      },
    });
  });
});
