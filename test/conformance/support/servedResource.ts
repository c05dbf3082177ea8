import { type HandlerName, dynamicStub } from "../../../provider/engine/dynamicStub";
import { PartialCreateError } from "../../../provider/engine/handler";
import { serve } from "../../../provider/serve";

type Values = Readonly<Record<string, unknown>>;

/** What is kept of a resource between two runs, as a stack's state does. */
interface Recorded {
  readonly id: string;
  readonly inputs: Values;
  readonly outputs: Values;
  /** It was made or changed, but not to the end: the next run updates it, whatever `diff` says. */
  readonly isPartial: boolean;
}

/**
 * One resource of a stack, whose handler is called as the engine's plugin calls it: the same methods,
 * in the same order, with what was recorded between them (pulumi v3.230.0,
 * pkg/resource/deploy/step_generator.go and step.go). What a run records goes through JSON, as it does
 * in a state file.
 */
export class ServedResource {
  private recorded: Recorded | undefined;

  constructor(private readonly kind: HandlerName) {}

  /** The inputs, as recorded. */
  get inputs(): Values {
    return this.recorded?.inputs ?? {};
  }

  /** The outputs, as recorded. */
  get outputs(): Values {
    return this.recorded?.outputs ?? {};
  }

  /**
   * Makes it what a program says that it is.
   *
   * @returns what that took
   * @throws what its handler throws; an `Error` with all reasons when the inputs are refused
   */
  async up(news: object): Promise<"created" | "same" | "updated" | "replaced"> {
    const inputs = await this.check(news);
    const { recorded } = this;
    if (recorded === undefined) {
      await this.create(inputs);
      return "created";
    }
    const { id, outputs, isPartial } = recorded;
    const { changes, replaces = [] } = await this.served.diff(id, { ...outputs }, { ...inputs });
    // Without a word the engine compares the inputs itself.
    const isSame = !(changes ?? JSON.stringify(inputs) !== JSON.stringify(recorded.inputs));
    if (replaces.length > 0) {
      await this.create(inputs);
      await this.served.delete(id, { ...outputs });
      return "replaced";
    }
    if (isSame && !isPartial) {
      this.record({ id, inputs, outputs, isPartial });
      return "same";
    }
    try {
      const { outs } = await this.served.update(id, { ...outputs }, { ...inputs });
      this.record({ id, inputs, outputs: this.withStub(outs), isPartial: false });
    } catch (error) {
      this.recordPartial(inputs, error);
      throw error;
    }
    return "updated";
  }

  /** Runs something of which nothing is recorded, as where the engine is killed. */
  async lose(run: () => Promise<unknown>): Promise<void> {
    const { recorded } = this;
    await run();
    this.recorded = recorded;
  }

  /** Looks at how it really is. */
  async refresh(): Promise<void> {
    const { id, inputs, outputs } = this.existing();
    const found = await this.served.read(id, { ...outputs });
    this.record({
      id: found.id,
      inputs: found.inputs === undefined ? inputs : this.withStub(found.inputs),
      outputs: this.withStub(found.props),
      isPartial: false,
    });
  }

  async destroy(): Promise<void> {
    const { id, outputs } = this.existing();
    await this.served.delete(id, { ...outputs });
    this.recorded = undefined;
  }

  private get served() {
    return serve(this.kind);
  }

  private async check(news: object): Promise<Values> {
    const given = this.withStub(news);
    const { inputs, failures } = await this.served.check({ ...this.recorded?.inputs }, given);
    if (failures.length > 0) {
      throw new Error(failures.map(({ reason }) => reason).join("\n"));
    }
    return inputs;
  }

  private async create(inputs: Values): Promise<void> {
    try {
      const { id, outs } = await this.served.create({ ...inputs });
      this.record({ id, inputs, outputs: this.withStub(outs), isPartial: false });
    } catch (error) {
      this.recordPartial(inputs, error);
      throw error;
    }
  }

  private recordPartial(inputs: Values, error: unknown): void {
    if (error instanceof PartialCreateError) {
      this.record({ id: error.id, inputs, outputs: { ...error.properties }, isPartial: true });
    }
  }

  private record(recorded: Recorded): void {
    this.recorded = JSON.parse(JSON.stringify(recorded)) as Recorded;
  }

  private existing(): Recorded {
    if (this.recorded === undefined) {
      throw new Error(`there is no ${this.kind}`);
    }
    return this.recorded;
  }

  private withStub(values: object): Record<string, unknown> {
    return { ...values, __provider: dynamicStub(this.kind) };
  }
}
