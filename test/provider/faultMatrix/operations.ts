import type { Patch } from "../../../provider/config/patches/patch";
import { PartialCreateError } from "../../../provider/engine/handler";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import { clusterHealthHandler } from "../../../provider/resources/clusterHealth";
import { clusterKubeconfigHandler } from "../../../provider/resources/clusterKubeconfig";
import { configurationApplyHandler } from "../../../provider/resources/configurationApply/configurationApplyHandler";
import { firstContactHandler } from "../../../provider/resources/firstContact";
import { machineBootstrapHandler } from "../../../provider/resources/machineBootstrap";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { silent } from "../progress";

/** A resource on its way, as the engine would bring it there in one run after the other. */
export interface PreparedOperation {
  readonly cluster: SimulatedCluster;
  /** The machine it is about, into which the fault is put. */
  readonly node: SimulatedNode;
  /** One run; fingerprints are `ConfigurationApplyArgs.maintenanceFingerprints`. */
  run(timeoutSeconds: number, fingerprints?: readonly string[]): Promise<void>;
  /** Asserts what holds once a run has succeeded. */
  verify(): Promise<void>;
}

const machineId = "i-0123456789abcdef0";
const change: Patch = { machine: { sysctls: { "vm.swappiness": "1" } } };
const timings = { joinMs: 20, rebootMs: 50 };

/** What a resource does to machines, by name. */
export const operations = {
  firstContact: async () => {
    const cluster = await SimulatedCluster.create(timings);
    const node = await cluster.add();
    const machine = await machineAt(cluster, node.address);
    return {
      cluster,
      node,
      run: async (timeoutSeconds) => {
        const inputs = { ...machine, machineId, timeoutSeconds };
        const { state } = await firstContactHandler.create(inputs, silent);
        expect(state.fingerprints).toHaveLength(1);
      },
      verify: () => {
        expect(node.node.machineConfiguration).toBeUndefined();
        return Promise.resolve();
      },
    };
  },

  applyFirst: async () => {
    const cluster = await SimulatedCluster.create(timings);
    const node = await cluster.add();
    return apply(cluster, node, undefined, cluster.config("controlplane"));
  },

  applyUpdate: async () => {
    const { cluster, node } = await runningCluster();
    const prepared = apply(cluster, node, undefined, cluster.config("controlplane"));
    await prepared.run(600);
    return apply(cluster, node, prepared.state(), cluster.config("controlplane", [change]));
  },

  bootstrap: async () => {
    const cluster = await SimulatedCluster.create(timings);
    const node = await cluster.add(cluster.config("controlplane"));
    const inputs = { ...(await machineAt(cluster, node.address)), peers: [] };
    return {
      cluster,
      node,
      run: async (timeoutSeconds) => {
        await machineBootstrapHandler.create({ ...inputs, timeoutSeconds }, silent);
      },
      verify: () => Promise.resolve(),
    };
  },

  kubeconfig: async () => {
    const { cluster, node, credentials } = await runningCluster();
    const inputs = { node: node.address, endpoint: node.address, credentials, checked: true };
    return {
      cluster,
      node,
      run: async (timeoutSeconds) => {
        const { state } = await clusterKubeconfigHandler.create(
          { ...inputs, timeoutSeconds },
          silent,
        );
        expect(state.kubeconfig).toContain("client-certificate-data");
      },
      verify: () => Promise.resolve(),
    };
  },

  health: async () => {
    const { cluster, node, credentials } = await runningCluster();
    const machine = { node: node.address, endpoint: node.address, credentials };
    const { state } = await clusterKubeconfigHandler.create(
      { ...machine, checked: true, timeoutSeconds: 600 },
      silent,
    );
    return {
      cluster,
      node,
      run: async (timeoutSeconds) => {
        await clusterHealthHandler.create(
          {
            controlPlaneNodes: [node.address],
            workerNodes: [],
            credentials,
            kubeconfig: state.kubeconfig,
            gates: ["etcd", "apiServer", "nodesReady"],
            triggers: [],
            timeoutSeconds,
          },
          silent,
        );
      },
      verify: () => Promise.resolve(),
    };
  },

  /** The end of a machine that is to be reset, of two control planes the second. */
  reset: async () => {
    const { cluster, node: first } = await runningCluster();
    // Not by user data, which would configure it again after its reset.
    const node = await cluster.add();
    const prepared = apply(cluster, node, undefined, cluster.config("controlplane"));
    await prepared.run(600);
    await cluster.waitForVoters(first, 2);
    const state = prepared.state();
    if (state === undefined) {
      throw new Error("it was not applied");
    }
    const onDestroy = { reset: true, reboot: true, systemLabelsToWipe: ["STATE", "EPHEMERAL"] };
    return {
      cluster,
      node,
      run: async (timeoutSeconds) => {
        const last = { ...state, onDestroy, timeoutSeconds };
        await configurationApplyHandler.delete?.(node.instanceId, last, silent);
      },
      verify: async () => {
        expect(node.node.machineConfiguration).toBeUndefined();
        await cluster.waitForVoters(first, 1);
      },
    };
  },
} satisfies Record<string, () => Promise<PreparedOperation>>;

/** The name of an operation. */
export type OperationName = keyof typeof operations;

type State = Awaited<ReturnType<typeof configurationApplyHandler.create>>["state"];

async function runningCluster(): Promise<{
  readonly cluster: SimulatedCluster;
  readonly node: SimulatedNode;
  readonly credentials: ClientCredentials;
}> {
  const cluster = await SimulatedCluster.create(timings);
  const node = await cluster.add(cluster.config("controlplane"));
  await cluster.bootstrap(node, 1);
  const { credentials } = await machineAt(cluster, node.address);
  return { cluster, node, credentials };
}

function apply(
  cluster: SimulatedCluster,
  node: SimulatedNode,
  recorded: State | undefined,
  machineConfiguration: string,
): PreparedOperation & { state(): State | undefined } {
  let state = recorded;
  const inputsOf = async (timeoutSeconds: number, maintenanceFingerprints: readonly string[]) => {
    const { inputs, failures } = await configurationApplyHandler.check(undefined, {
      ...(await machineAt(cluster, node.address)),
      machineId,
      machineConfiguration,
      patches: [],
      mode: "auto",
      timeoutSeconds,
      maintenanceFingerprints,
      configurationHash: "",
      redactedConfiguration: "",
    });
    expect(failures).toEqual([]);
    return inputs;
  };
  return {
    cluster,
    node,
    state: () => state,
    run: async (timeoutSeconds, fingerprints = []) => {
      const inputs = await inputsOf(timeoutSeconds, fingerprints);
      try {
        if (state === undefined) {
          ({ state } = await configurationApplyHandler.create(inputs, silent));
        } else {
          state = await configurationApplyHandler.update(machineId, state, inputs, silent);
        }
      } catch (error) {
        // The engine records what exists, and updates it in the next run.
        if (error instanceof PartialCreateError) {
          state = error.properties as State;
        }
        throw error;
      }
    },
    verify: () => {
      expect(node.node.machineConfiguration).toBe(machineConfiguration);
      expect(node.node.stage).toBe("running");
      return Promise.resolve();
    },
  };
}
