import { type AddressSlice, claimAddressSlice } from "../../../../emulator/aws/addressSlice";
import { type MotoServer, startMotoServer } from "../../../../emulator/aws/motoServer";
import { functionKinds } from "../../../../emulator/aws/plugin/functions/functionKinds";
import { resolveProviderConfig } from "../../../../emulator/aws/plugin/providerConfig";
import { resourceKinds } from "../../../../emulator/aws/plugin/resources/resourceKinds";
import { type LiveResource, StandIn } from "../../../../emulator/aws/plugin/standIn";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { ensureMoto } from "../../../../emulator/aws/pythonEnvironment";

/** The region everything lies in. */
export const REGION = "us-east-1";

/** The stand-in for the AWS plugin on an emulated AWS, without an engine. */
export interface StandInWorld {
  readonly standIn: StandIn;
  /** Checks inputs, refusing what is wrong with them, and makes the resource. */
  readonly make: (type: string, inputs: Values) => Promise<LiveResource>;
  /** Changes a resource in place, and fails when AWS couldn't. */
  readonly change: (type: string, before: LiveResource, inputs: Values) => Promise<LiveResource>;
  readonly close: () => Promise<void>;
}

/** Starts one; `close` it. */
export async function startStandInWorld(): Promise<StandInWorld> {
  const { python } = await ensureMoto();
  const slice: AddressSlice = await claimAddressSlice();
  const ignore = () => undefined;
  const moto: MotoServer = await startMotoServer({
    python,
    instanceNetwork: slice.instanceNetwork,
    elasticNetwork: slice.elasticNetwork,
    onChange: ignore,
    onUnexpectedEnd: ignore,
    onLog: ignore,
  });
  const standIn = new StandIn(
    resourceKinds,
    functionKinds,
    resolveProviderConfig(
      {},
      {
        AWS_ENDPOINT_URL: moto.url,
        AWS_REGION: REGION,
        AWS_ACCESS_KEY_ID: "emulator",
        AWS_SECRET_ACCESS_KEY: "emulator",
      },
    ),
  );
  const checked = (type: string, olds: Values, news: Values): Values => {
    const context = { pulumiName: "test", randomSeed: new Uint8Array(32) };
    const { inputs, failures } = standIn.check(type, olds, news, context);
    if (failures.length > 0) {
      throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("; "));
    }
    return inputs;
  };
  return {
    standIn,
    make: (type, inputs) => standIn.create(type, checked(type, {}, inputs), {}),
    change: async (type, before, inputs) => {
      const news = checked(type, before.inputs, inputs);
      for (const [property, { replaces }] of Object.entries(
        standIn.diff(type, before, news).changes,
      )) {
        if (replaces) {
          throw new Error(`${type} is replaced for ${property}`);
        }
      }
      return standIn.update(type, before.id, before, news, {});
    },
    close: async () => {
      standIn.close();
      await moto.stop();
      await slice.release();
    },
  };
}
