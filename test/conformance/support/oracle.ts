import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** What an oracle says: what Talos' code made of a request, or why it refused; or that it panicked. */
export type Answer<Result> =
  | { readonly result: Result; readonly refused?: undefined }
  | { readonly result?: undefined; readonly refused: string; readonly panicked?: boolean };

/** What `handshake` saw. */
export interface Handshake {
  readonly clientOrganizations: readonly string[];
  readonly serverNames: readonly string[];
}

interface Credentials {
  readonly crt: string;
  readonly key: string;
}

/** A process that runs the code of one Talos release (see `oracle/main.go`). */
export class Oracle {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly waiting: ((line: string | undefined) => void)[] = [];

  constructor(program: string) {
    this.process = spawn(program);
    this.process.stderr.pipe(process.stderr);
    createInterface(this.process.stdout).on("line", (line) => this.waiting.shift()?.(line));
    const giveUp = () => this.waiting.splice(0).forEach((answer) => answer(undefined));
    this.process.once("close", giveUp);
    this.process.once("error", giveUp);
  }

  /** What `talosctl gen config` makes of options, for one type of machine. */
  generate(options: Readonly<Record<string, unknown>>): Promise<Answer<string>> {
    return this.ask({ do: "generate", ...options });
  }

  /** What `talosctl machineconfig patch` makes of a configuration. */
  patch(config: string, patches: readonly string[]): Promise<Answer<string>> {
    return this.ask({ do: "patch", config, patches });
  }

  /** The warnings of `talosctl validate --mode cloud`, which are refusals when it is strict. */
  validate(
    config: string,
    options: { readonly strict: boolean },
  ): Promise<Answer<readonly string[]>> {
    return this.ask({ do: "validate", config, ...options });
  }

  /** A configuration read and written again. */
  encode(config: string): Promise<Answer<string>> {
    return this.ask({ do: "encode", config });
  }

  /** A new secrets bundle, as text. */
  secrets(versionContract: string): Promise<Answer<string>> {
    return this.ask({ do: "secrets", versionContract });
  }

  /** Whether each authority of a secrets bundle, given as text, is one by the rules of Go. */
  verify(secrets: string): Promise<Answer<true>> {
    return this.ask({ do: "verify", secrets });
  }

  /** What a server and a client see of each other when they meet over mutual TLS. */
  handshake(request: {
    readonly ca: string;
    readonly server: Credentials;
    readonly client: Credentials;
    readonly serverName: string;
  }): Promise<Answer<Handshake>> {
    return this.ask({ do: "handshake", ...request });
  }

  /** Ends the process. */
  close(): void {
    this.process.kill();
  }

  private async ask<Result>(request: Readonly<Record<string, unknown>>): Promise<Answer<Result>> {
    const line = await new Promise<string | undefined>((resolve) => {
      if (this.process.exitCode !== null || this.process.killed) {
        resolve(undefined);
        return;
      }
      this.waiting.push(resolve);
      this.process.stdin.write(`${JSON.stringify(request)}\n`);
    });
    if (line === undefined) {
      throw new Error("the oracle has ended: see what it wrote above");
    }
    return JSON.parse(line) as Answer<Result>;
  }
}
