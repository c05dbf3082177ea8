import { machineSecretsHandler as handler } from "../../../provider/resources/machineSecrets";
import { unknownValue } from "./samples";

jest.setTimeout(30_000);

const inputs = { versionContract: "v1.12", allowContractChange: false };

describe("the handler of MachineSecrets", () => {
  it("makes a bundle once and keeps it", async () => {
    const { id, state } = await handler.create(inputs);
    expect(id).toBe("machine-secrets");
    expect(state.secretsBundle.certs.os.crt).not.toBe("");
    expect(handler.diff(id, state, inputs)).toEqual({ changes: false });
    const updated = await handler.update(id, state, { ...inputs, versionContract: "v1.13" });
    expect(updated).toEqual({ ...state, versionContract: "v1.13" });
    const other = await handler.create(inputs);
    expect(other.state.secretsBundle.cluster.id).not.toBe(state.secretsBundle.cluster.id);
  });

  it("refuses a contract it doesn't know", async () => {
    const { failures } = await handler.check(undefined, { ...inputs, versionContract: "1.12.1" });
    expect(failures).toEqual([
      {
        property: "versionContract",
        reason:
          'write the version contract as "v1.12", not "1.12.1": it names a Talos minor, not a release',
      },
    ]);
    expect((await handler.check(undefined, inputs)).failures).toEqual([]);
  });

  it("freezes the contract, and says what to do instead of changing it", async () => {
    const olds = { ...inputs, versionContract: "v1.11" };
    const { failures } = await handler.check(olds, inputs);
    expect(failures).toEqual([
      {
        property: "versionContract",
        reason: `the version contract of this cluster is "v1.11" since its creation and can't become "v1.12": set it back to "v1.11" (to upgrade the machines change talosVersion instead), or set allowContractChange if Talos' upgrade notes say that this change is safe`,
      },
    ]);
    expect((await handler.check(olds, { ...inputs, allowContractChange: true })).failures).toEqual(
      [],
    );
    expect((await handler.check(inputs, inputs)).failures).toEqual([]);
  });

  it("waits with its judgement for a contract that isn't known yet", async () => {
    const news = { ...inputs, versionContract: unknownValue };
    expect((await handler.check(inputs, news)).failures).toEqual([]);
  });
});
