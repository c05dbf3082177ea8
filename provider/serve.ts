import { presentable, printableError } from "./base/printable";
import type { Progress } from "./base/progress";
import { isUnknown } from "./base/unknown";
import { CheckedInputs, GIVEN, URN } from "./engine/checkedInputs";
import type { HandlerName } from "./engine/dynamicStub";
import { endWithEngine } from "./engine/endWithEngine";
import { engineProgress } from "./engine/engineProgress";
import {
  type Action,
  type CheckFailure,
  type DiffResult,
  type Handler,
  PartialCreateError,
} from "./engine/handler";
import { keepAddresses, missingAddresses } from "./engine/machineAddresses";
import { tellingTheEnd } from "./engine/tellingTheEnd";
import { SEEN, unseenIn, withoutShown } from "./engine/unseenValues";
import { isPlugin } from "./engine/usePlugin";
import { warningOfSilence, wayOutOfSilence } from "./engine/wayOutOfSilence";
import { WITHHELD } from "./pki/withheld";
import { clientConfigurationHandler } from "./resources/clientConfiguration";
import { clusterHealthHandler } from "./resources/clusterHealth";
import { clusterKubeconfigHandler } from "./resources/clusterKubeconfig";
import { configurationApplyHandler } from "./resources/configurationApply/configurationApplyHandler";
import { etcdMemberHandler } from "./resources/etcdMember";
import { firstContactHandler } from "./resources/firstContact";
import { immutableArgumentsHandler } from "./resources/immutableArguments";
import { kubernetesManifestsHandler } from "./resources/kubernetesManifests";
import { kubernetesObjectsHandler } from "./resources/kubernetesObjects";
import { kubernetesUpgradeHandler } from "./resources/kubernetesUpgrade";
import { machineBootstrapHandler } from "./resources/machineBootstrap";
import { machineConfigurationHandler } from "./resources/machineConfigurationHandler";
import { machineSecretsHandler } from "./resources/machineSecrets";
import { machineTurnHandler } from "./resources/machineTurn";
import { rotatedAuthorityHandler } from "./resources/rotatedAuthority";
import { rotatedSecretHandler } from "./resources/rotatedSecret";
import { rotationGateHandler } from "./resources/rotationGate";
import { userKubeconfigHandler } from "./resources/userKubeconfig";

type Properties = Record<string, unknown>;

/**
 * A handler as Pulumi's plugin for dynamic resources calls it, and this package's own plugin. Only
 * the latter knows the URN of what it reads and deletes.
 */
export interface ServedHandler {
  check(
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: CheckFailure[] }>;
  diff(id: string, olds: Properties, news: Properties): Promise<DiffResult>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(
    id: string,
    props: Properties,
    urn?: string,
  ): Promise<{ id: string; props: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties, urn?: string): Promise<void>;
  /** Names of inputs that `ignoreChanges` can't keep as they are: computed ones, and ones that no state has. */
  readonly unignorable: readonly string[];
  /** All inputs as they were checked, also those that aren't kept: what a preview knows of outputs. */
  checked(inputs: Properties): Properties;
  /**
   * Takes over an object by the id that a person typed.
   *
   * @throws Error if the kind can't be imported
   */
  import(id: string, urn: string): Promise<{ id: string; props: Properties; inputs: Properties }>;
}

/** The handlers by name. State and inputs come back from the engine as they were given to it. */
const handlers: Readonly<Record<HandlerName, () => ServedHandler>> = {
  MachineSecrets: () => adapt("MachineSecrets", machineSecretsHandler),
  ClientConfiguration: () => adapt("ClientConfiguration", clientConfigurationHandler),
  MachineConfiguration: () => adapt("MachineConfiguration", machineConfigurationHandler),
  ConfigurationApply: () => adapt("ConfigurationApply", configurationApplyHandler),
  MachineBootstrap: () => adapt("MachineBootstrap", machineBootstrapHandler),
  ClusterKubeconfig: () => adapt("ClusterKubeconfig", clusterKubeconfigHandler),
  ClusterHealth: () => adapt("ClusterHealth", clusterHealthHandler),
  UserKubeconfig: () => adapt("UserKubeconfig", userKubeconfigHandler),
  MachineTurn: () => adapt("MachineTurn", machineTurnHandler),
  EtcdMember: () => adapt("EtcdMember", etcdMemberHandler),
  ImmutableArguments: () => adapt("ImmutableArguments", immutableArgumentsHandler),
  KubernetesUpgrade: () => adapt("KubernetesUpgrade", kubernetesUpgradeHandler),
  KubernetesManifests: () => adapt("KubernetesManifests", kubernetesManifestsHandler),
  KubernetesObjects: () => adapt("KubernetesObjects", kubernetesObjectsHandler),
  RotatedAuthority: () => adapt("RotatedAuthority", rotatedAuthorityHandler),
  RotatedSecret: () => adapt("RotatedSecret", rotatedSecretHandler),
  RotationGate: () => adapt("RotationGate", rotationGateHandler),
  FirstContact: () => adapt("FirstContact", firstContactHandler),
};

/** The handlers in use. Each loads the modules of its own kind, and keeps its checked inputs. */
const served = new Map<HandlerName, ServedHandler>();

/**
 * The handler of one kind of resource, for the stub in the state of each such resource. Its name
 * and what it returns hold for as long as there are stacks made with it.
 *
 * @throws Error for a kind that this release does not know
 */
export function serve(name: string): ServedHandler {
  endWithEngine();
  if (!isHandlerName(name)) {
    throw new Error(
      `this release of pulumi-talos-aws has no resource of kind "${name}", only ${Object.keys(handlers).join(", ")}: install the release that the stack was made with, or a newer one`,
    );
  }
  const handler = served.get(name) ?? handlers[name]();
  served.set(name, handler);
  return handler;
}

function isHandlerName(name: string): name is HandlerName {
  return Object.hasOwn(handlers, name);
}

function adapt<Inputs extends object, State extends object>(
  kind: HandlerName,
  handler: Handler<Inputs, State>,
): ServedHandler {
  // The engine hands back what this handler once returned, so these two shapes are what it sees.
  const asInputs = (props: Properties) => withoutOwn(props) as Inputs;
  const asState = (props: Properties) => withoutOwn(props) as State;
  const { transient = [], computed = [] }: Pick<typeof handler, "transient" | "computed"> = handler;
  const checked = new CheckedInputs(transient);
  const dropped: readonly string[] = isPlugin() ? [] : (handler.derived ?? []);
  const asOutputs = (state: State, inputs: Properties): Properties =>
    checked.hides(inputs)
      ? asProperties(state)
      : Object.fromEntries(Object.entries(state).filter(([name]) => !dropped.includes(name)));
  /** Runs `act` with progress reporting, and waits until every line was sent. */
  const tell = async <Result>(
    urn: string | undefined,
    action: Action,
    act: (progress: Progress) => Promise<Result>,
  ): Promise<Result> => {
    const progress = engineProgress(urn);
    try {
      return await tellingTheEnd(progress, handler.achieved?.[action] ?? "done", act);
    } catch (error) {
      throw printableError(error);
    } finally {
      await progress.told();
    }
  };
  return {
    async check(olds, news) {
      // A new resource has no old inputs, which arrive as an empty object.
      const known = Object.keys(olds).length > 0 ? asInputs(olds) : undefined;
      const kept = computed.filter((name) => isGiven(news[name]));
      const given = namesIn(news[GIVEN]);
      const taken = transient.filter((name) => given.includes(name) && !Object.hasOwn(news, name));
      if (kept.length + taken.length > 0) {
        return { inputs: news, failures: [...kept, ...taken].map(ignored) };
      }
      const placed = keepAddresses(kind, known && withoutOwn(olds), withoutOwn(news));
      const unseen = unseenIn(
        withoutShown(placed, olds),
        news[SEEN],
        (name) => handler.isMarkable?.(name) === true,
      );
      const result = await handler.check(known, asInputs(withMarked(placed, unseen)));
      const { inputs, warnings = [] } = result;
      const missingNow = known === undefined ? missingAddresses(kind, placed, transient) : [];
      const failures = [...result.failures, ...missingNow];
      const missing = transient.filter((name) => !Object.hasOwn(inputs, name));
      if (failures.length === 0 && missing.length > 0) {
        return { inputs: news, failures: missing.map(ignored) };
      }
      if (warnings.length > 0) {
        const progress = engineProgress(urnOf(news));
        warnings.forEach((line) => {
          progress.warn(line);
        });
        await progress.told();
      }
      return {
        inputs: checked.hold({ ...inputs, [URN]: news[URN] }, olds, unseen.length > 0),
        failures: failures.map(withoutValue).map(({ property, reason }) => ({
          property,
          reason: presentable(reason),
        })),
      };
    },
    diff(id, olds, news) {
      const result = handler.diff(id, asState(olds), asInputs(checked.known(news)));
      // The state doesn't have yet what the program can't compute any more.
      if (checked.hides(news) && dropped.some((name) => !isGiven(olds[name]))) {
        return Promise.resolve({ ...result, changes: true });
      }
      const { changes, ...rest } = result;
      // A plugin for dynamic resources can't say which inputs differ, and the engine then shows all
      // of them; unless it is left to the engine to compare them.
      return Promise.resolve(changes === true && checked.differs(news) ? rest : result);
    },
    async create(inputs) {
      refuseWithheld(checked.all(inputs));
      try {
        const { id, state } = await tell(checked.urn(inputs), "create", (progress) =>
          handler.create(asInputs(checked.all(inputs)), progress),
        );
        return { id, outs: asOutputs(state, inputs) };
      } catch (error) {
        throw withStub(error, inputs);
      }
    },
    async read(id, props, urn) {
      const found = await tell(urn, "read", async (progress) =>
        handler.read?.(id, asState(props), progress),
      );
      if (found === undefined) {
        return { id, props };
      }
      const { state, inputs } = found;
      return {
        id,
        props: asProperties(state),
        ...(inputs && { inputs: asProperties(inputs) }),
      };
    },
    async update(id, olds, news) {
      refuseWithheld(checked.all(news));
      try {
        const state = await tell(checked.urn(news), "update", (progress) =>
          handler.update(
            id,
            asState(olds),
            asInputs(checked.all(news)),
            warningOfSilence(progress),
          ),
        );
        return { outs: asOutputs(state, news) };
      } catch (error) {
        throw withStub(withWayOut(error), news);
      }
    },
    async delete(id, props, urn) {
      await tell(urn, "delete", async (progress) => handler.delete?.(id, asState(props), progress));
    },
    unignorable: [...computed, ...transient],
    checked: (inputs) => ({ ...checked.known(inputs) }),
    async import(id, urn) {
      const found = await tell(urn, "import", async (progress) => handler.import?.(id, progress));
      if (found === undefined) {
        throw new Error("resources of this kind can't be imported: declare a new one");
      }
      return { id: found.id, props: asProperties(found.state), inputs: asProperties(found.inputs) };
    },
  };
}

/** A state without secrets is for previews: machines would lose their cluster with what it has in their place. */
function refuseWithheld(inputs: Properties): void {
  if (JSON.stringify(inputs).includes(WITHHELD)) {
    throw new Error(
      "nothing was changed: the stack's state is one without secrets, which is for previews only. Import the stack's own state",
    );
  }
}

/** Says what to do where a machine was silent. */
function withWayOut(error: unknown): unknown {
  const wayOut = wayOutOfSilence(error);
  if (wayOut === undefined || !(error instanceof Error)) {
    return error;
  }
  const message = `${error.message}. ${wayOut}`;
  return error instanceof PartialCreateError
    ? new PartialCreateError(message, error.id, error.properties, { cause: error })
    : new Error(message, { cause: error });
}

/** The plugin adds the stub to every result but a partial one, and can't delete without it. */
function withStub(error: unknown, { __provider }: Properties): unknown {
  return error instanceof PartialCreateError
    ? new PartialCreateError(
        error.message,
        error.id,
        { ...error.properties, __provider },
        { cause: error },
      )
    : error;
}

/**
 * Names the input in the reason: of a failure that names it itself the engine prints the input's
 * value, in clear also when it is a secret (pulumi v3.230.0, pkg/resource/deploy/step_generator.go).
 */
export function withoutValue({ property, reason }: CheckFailure): CheckFailure {
  const isNamed = property === "" || reason.startsWith(`${property}[`);
  return { property: "", reason: isNamed ? reason : `${property}: ${reason}` };
}

function namesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether an input is more than a place for what `check` computes. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/**
 * An input that the engine has kept as it is recorded, or taken away because it isn't recorded. A
 * program can't cause either without `ignoreChanges`.
 */
function ignored(name: string): CheckFailure {
  return { property: "", reason: ignoredReason(name) };
}

/** Why `ignoreChanges` can't name an input, and what to do. */
export function ignoredReason(name: string): string {
  return `"ignoreChanges" can't name "${name}", which is computed in each run or in no state: remove it there. To keep what it comes from, don't change those arguments`;
}

/** The resource's own URN, as long as nothing was held back. */
function urnOf({ [URN]: urn }: Properties): string | undefined {
  return typeof urn === "string" && !isUnknown(urn) ? urn : undefined;
}

function withoutOwn(properties: Properties): Properties {
  const { __provider, [URN]: urn, [GIVEN]: given, [SEEN]: seen, ...props } = properties;
  return props;
}

/** Inputs of which these parts are hidden too. */
function withMarked(inputs: Properties, parts: readonly unknown[]): Properties {
  const { markedValues } = inputs;
  const marked: readonly unknown[] = Array.isArray(markedValues) ? markedValues : [];
  return parts.length === 0 ? inputs : { ...inputs, markedValues: [...marked, ...parts] };
}

function asProperties(values: object): Properties {
  return { ...values };
}
