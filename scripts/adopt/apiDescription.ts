/** What `scripts/apiDescriptor` prints: the API of one release of Talos. */
export interface ApiDescription {
  /** The release. */
  readonly talos: string;
  readonly services: Readonly<Record<string, ApiService>>;
  readonly messages: Readonly<Record<string, ApiMessage>>;
  readonly enums: Readonly<Record<string, ApiEnum>>;
}

/** A service of gRPC. */
export interface ApiService {
  readonly file: string;
  readonly methods: Readonly<Record<string, ApiMethod>>;
}

/** A method, with the names of its messages. */
export interface ApiMethod {
  readonly input: string;
  readonly output: string;
  readonly clientStreaming?: boolean;
  readonly serverStreaming?: boolean;
}

/** A message. */
export interface ApiMessage {
  readonly file: string;
  readonly fields: readonly ApiField[];
}

/** A field of a message. */
export interface ApiField {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly messageType?: string;
  readonly enumType?: string;
  readonly map?: { readonly key: string; readonly value: string };
  readonly repeated?: boolean;
}

/** An enum, with the number of each of its words. */
export interface ApiEnum {
  readonly file: string;
  readonly values: Readonly<Record<string, number>>;
}
