import { UNKNOWN } from "../../../provider/base";
import { orAfter } from "../../orAfter";
import { awsClients, destroyClients, type AwsClients } from "./awsClients";
import { checkProperties, checkResource, type CheckContext, type CheckResult } from "./check";
import { changedProperties, diffResource, type ResourceDiff } from "./diff";
import type { FunctionKind } from "./functionKind";
import { Inputs, stringsOf } from "./inputs";
import { inputsFromLive, outputsOf, previewCreate, previewUpdate } from "./projection";
import type { ProviderConfig } from "./providerConfig";
import { IncompleteResourceError, type OperationContext, type ResourceKind } from "./resourceKind";
import { mergedTags, tagChange } from "./tags";
import { containsUnknown, isObject, type Value, type Values } from "./value";

/** Longest time of one create, update or delete when the program sets none. */
const DEFAULT_TIMEOUT_SECONDS = 600;

/** A resource in the engine's state: its last inputs and outputs. */
export interface Known {
  readonly inputs: Values;
  readonly state: Values;
}

/** A live resource. */
export interface LiveResource extends Known {
  readonly id: string;
}

/** Options of an operation. */
export interface OperationOptions {
  /** Returns only what is known before the operation. */
  readonly preview?: boolean;
  /** Timeout in seconds. Default, also for 0: ten minutes. */
  readonly timeoutSeconds?: number;
}

/** A resource was created incompletely. The engine must keep it in its state. */
export class PartialResultError extends Error {
  override readonly name = "PartialResultError";

  constructor(
    readonly live: LiveResource,
    cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

/**
 * The AWS provider's behaviour over plain values, for the given resource kinds and functions. Its only
 * state is connections.
 */
export class Substitute {
  private readonly clients = new Map<string, AwsClients>();
  private readonly cancelled = new AbortController();

  constructor(
    private readonly kinds: ReadonlyMap<string, ResourceKind>,
    private readonly functions: ReadonlyMap<string, FunctionKind>,
    private readonly config: ProviderConfig,
  ) {}

  check(type: string, olds: Values, news: Values, context: CheckContext): CheckResult {
    return checkResource(this.kind(type), olds, news, context);
  }

  diff(type: string, before: Known, news: Values): ResourceDiff {
    return diffResource(this.kind(type), before, news, this.config.defaultTags);
  }

  async create(type: string, news: Values, options: OperationOptions): Promise<LiveResource> {
    const kind = this.kind(type);
    if (options.preview === true) {
      const known = this.knownBefore(kind, news, {});
      return { id: "", inputs: news, state: previewCreate(kind, news, known) };
    }
    const inputs = new Inputs(news);
    const context = this.context(inputs, options);
    let id: string;
    try {
      id = await kind.create(context, inputs);
    } catch (error) {
      if (error instanceof IncompleteResourceError) {
        throw new PartialResultError({ id: error.id, inputs: news, state: news }, error);
      }
      throw error;
    }
    return this.liveAfter(kind, context, id, news);
  }

  /** The live resource, or undefined when it doesn't exist. */
  async read(type: string, id: string, before: Known): Promise<LiveResource | undefined> {
    const kind = this.kind(type);
    const state = { ...before.inputs, ...before.state };
    const context = this.context(new Inputs(state), {});
    const live = await kind.read(context, id, new Inputs(state));
    if (live === undefined) {
      return undefined;
    }
    const told = this.withRegion(kind, context, live);
    return {
      id: typeof live.id === "string" ? live.id : id,
      inputs: inputsFromLive(kind, before.inputs, told, this.config.defaultTags),
      state: outputsOf(kind, before.inputs, told),
    };
  }

  async update(
    type: string,
    id: string,
    before: Known,
    news: Values,
    options: OperationOptions,
  ): Promise<LiveResource> {
    const kind = this.kind(type);
    if (options.preview === true) {
      const changed = changedProperties(this.diff(type, before, news));
      const reopened = kind.reopens?.(changed, new Inputs(news)) ?? [];
      const known = {
        ...this.knownBefore(kind, news, before.state),
        ...Object.fromEntries(reopened.map((name) => [name, UNKNOWN])),
      };
      return { id, inputs: news, state: previewUpdate(kind, before, news, known) };
    }
    const inputs = new Inputs(news);
    const state = new Inputs(before.state);
    const context = this.context(inputs, options);
    const changed = changedProperties(this.diff(type, before, news));
    const touches = (...names: string[]) => names.some((name) => changed.includes(name));
    // A kind that isn't tagged like the others, such as an auto scaling group, updates its own tags.
    const ofTagging = kind.tagging === undefined ? [] : ["tags", "tagsAll"];
    if (changed.some((name) => !ofTagging.includes(name))) {
      await kind.update?.(context, id, {
        olds: new Inputs(before.inputs),
        news: inputs,
        state,
        touches,
      });
    }
    if (touches("tags", "tagsAll")) {
      const change = tagChange(state.map("tagsAll"), context.tagsOf(inputs));
      await kind.tagging?.change(context, id, change);
    }
    return this.liveAfter(kind, context, id, news);
  }

  async delete(type: string, id: string, before: Known, options: OperationOptions): Promise<void> {
    const state = new Inputs({ ...before.inputs, ...before.state });
    await this.kind(type).delete(this.context(state, options), id, state);
  }

  async invoke(token: string, args: Values): Promise<Values> {
    const wanted = this.functions.get(token);
    if (wanted === undefined) {
      throw new Error(unknownToken("function", token, this.functions));
    }
    const { inputs, failures } = checkProperties(wanted.inputs, args, `of ${token}`);
    if (failures.length > 0) {
      throw new Error(failures.map(({ reason }) => reason).join("; "));
    }
    const region = new Inputs(inputs).string("region") ?? this.config.region;
    return wanted.invoke({ aws: this.clientsOf(region), region }, new Inputs(inputs));
  }

  /** Cancels waits. Operations that AWS has begun continue. */
  cancel(): void {
    this.cancelled.abort();
  }

  /** Closes connections. */
  close(): void {
    for (const clients of this.clients.values()) {
      destroyClients(clients);
    }
  }

  private kind(type: string): ResourceKind {
    const kind = this.kinds.get(type);
    if (kind === undefined) {
      throw new Error(unknownToken("resource type", type, this.kinds));
    }
    return kind;
  }

  private async liveAfter(
    kind: ResourceKind,
    context: OperationContext,
    id: string,
    news: Values,
  ): Promise<LiveResource> {
    const live = await kind.read(context, id, new Inputs(news));
    if (live === undefined) {
      throw new Error(`the ${kind.title} "${id}" vanished while it was worked on`);
    }
    return {
      id,
      inputs: news,
      state: outputsOf(kind, news, this.withRegion(kind, context, live)),
    };
  }

  private withRegion(kind: ResourceKind, context: OperationContext, live: Values): Values {
    return kind.regional ? { ...live, region: context.region } : live;
  }

  /** The outputs that are known before the operation. */
  private knownBefore(kind: ResourceKind, news: Values, state: Values): Record<string, Value> {
    const region = news.region ?? state.region ?? this.config.region;
    const tags = news.tags;
    const tagsKnown = kind.tagging !== undefined && !containsUnknown(tags);
    return {
      ...(kind.regional && { region }),
      ...(tagsKnown && {
        tagsAll: mergedTags(this.config.defaultTags, isObject(tags) ? stringsOf(tags) : {}),
      }),
    };
  }

  private context(inputs: Inputs, options: OperationOptions): OperationContext {
    const region = inputs.string("region") ?? this.config.region;
    const seconds =
      options.timeoutSeconds === undefined || options.timeoutSeconds === 0
        ? DEFAULT_TIMEOUT_SECONDS
        : options.timeoutSeconds;
    return {
      aws: this.clientsOf(region),
      region,
      signal: orAfter(this.cancelled.signal, seconds * 1000),
      tagsOf: (resource) => mergedTags(this.config.defaultTags, resource.map("tags")),
    };
  }

  private clientsOf(region: string): AwsClients {
    const known = this.clients.get(region);
    if (known !== undefined) {
      return known;
    }
    const { endpoints, accessKeyId, secretAccessKey } = this.config;
    const made = awsClients({ region, endpoints, accessKeyId, secretAccessKey });
    this.clients.set(region, made);
    return made;
  }
}

function unknownToken(what: string, token: string, known: ReadonlyMap<string, unknown>): string {
  return (
    `the substitute for the AWS plugin does not know the ${what} "${token}"; it knows ` +
    `${[...known.keys()].sort().join(", ")}. Install the real plugin to use more of AWS`
  );
}
