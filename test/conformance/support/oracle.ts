/** What an oracle says: what Talos' code made of a request, or why it refused; or that it panicked. */
export type Answer<Result> =
  | { readonly result: Result; readonly refused?: undefined }
  | { readonly result?: undefined; readonly refused: string; readonly panicked?: boolean };

/** What an oracle is asked: its field `do` names one of the actions in `oracle/main.go`. */
export type Request = Readonly<Record<string, unknown>>;

/** Gets the answer to a request, from a process or from a recording. */
export type Ask = (request: Request) => Promise<Answer<unknown>>;

/** What `handshake` saw. */
export interface Handshake {
  readonly clientOrganizations: readonly string[];
  readonly serverNames: readonly string[];
}

interface Credentials {
  readonly crt: string;
  readonly key: string;
}

/** The code of one Talos release (see `oracle/main.go`). */
export class Oracle {
  constructor(private readonly ask: Ask) {}

  /** What `talosctl gen config` makes of options, for one type of machine. */
  generate(options: Readonly<Record<string, unknown>>): Promise<Answer<string>> {
    return this.answerTo({ do: "generate", ...options });
  }

  /** What `talosctl machineconfig patch` makes of a configuration. */
  patch(config: string, patches: readonly string[]): Promise<Answer<string>> {
    return this.answerTo({ do: "patch", config, patches });
  }

  /** The warnings of `talosctl validate --mode cloud`, which are refusals when it is strict. */
  validate(
    config: string,
    options: { readonly strict: boolean },
  ): Promise<Answer<readonly string[]>> {
    return this.answerTo({ do: "validate", config, ...options });
  }

  /** A configuration read and written again. */
  encode(config: string): Promise<Answer<string>> {
    return this.answerTo({ do: "encode", config });
  }

  /** A new secrets bundle, as text. */
  secrets(versionContract: string): Promise<Answer<string>> {
    return this.answerTo({ do: "secrets", versionContract });
  }

  /** Whether each authority of a secrets bundle, given as text, is one by the rules of Go. */
  verify(secrets: string): Promise<Answer<true>> {
    return this.answerTo({ do: "verify", secrets });
  }

  /** What a server and a client see of each other when they meet over mutual TLS. */
  handshake(request: {
    readonly ca: string;
    readonly server: Credentials;
    readonly client: Credentials;
    readonly serverName: string;
  }): Promise<Answer<Handshake>> {
    return this.answerTo({ do: "handshake", ...request });
  }

  private async answerTo<Result>(request: Request): Promise<Answer<Result>> {
    return (await this.ask(request)) as Answer<Result>;
  }
}
