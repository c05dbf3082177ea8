import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import {
  authenticationOraclesFingerprint,
  judgingMinors,
} from "../../../scripts/ensureAuthenticationOracles";
import { OracleProcess } from "./oracleProcess";
import { recordCommand } from "./recording/recording";

/** A file that API servers read, and claims of tokens that its issuers sign. */
export interface AuthenticationRequest {
  readonly config: string;
  /** Issuers of service account tokens. Default: none. */
  readonly disallowedIssuers?: readonly string[];
  readonly tokens: readonly Readonly<Record<string, unknown>>[];
}

/** Whom an API server sees. */
export interface AuthenticationAnswer {
  /** Why it doesn't start. */
  readonly refused?: string;
  /** For each token. */
  readonly users?: readonly SeenUser[];
}

/** A user, or why the token isn't accepted. */
export interface SeenUser {
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly refused?: string;
}

/** A request, and what each Kubernetes minor answers. */
interface Judged {
  readonly request: AuthenticationRequest;
  readonly answers: Readonly<Record<string, AuthenticationAnswer>>;
}

/** What is recorded of these programs. */
interface RecordedAuthentication {
  /** What they were built from. */
  readonly oracles: string;
  readonly judged: readonly Judged[];
}

const recordedFile = join(__dirname, "../recordedAuthentication.json.br");

/**
 * What Kubernetes' own code answers: as it was recorded; or, where TALOS_AUTHENTICATION_ORACLES has the folder
 * of the programs that `npm run conformance` builds, now. Where TALOS_RECORD is set too, that is recorded.
 *
 * @returns the answers by the minor's name, for each request
 * @throws Error for a request that isn't recorded
 */
export async function judgedByKubernetes(
  requests: readonly AuthenticationRequest[],
): Promise<readonly Judged["answers"][]> {
  const { TALOS_AUTHENTICATION_ORACLES: folder, TALOS_RECORD: target } = process.env;
  if (folder === undefined) {
    const { judged } = recordedAuthentication();
    return requests.map((request) => {
      const text = JSON.stringify(request);
      const found = judged.find((each) => JSON.stringify(each.request) === text);
      if (found === undefined) {
        throw new Error(`Not recorded: ${text}. Record it with: ${recordCommand}`);
      }
      return found.answers;
    });
  }
  const all = await Promise.all(judgingMinors.map((minor) => ask(join(folder, minor), requests)));
  const judged = requests.map((request, index) => ({
    request,
    answers: Object.fromEntries(
      judgingMinors.map((minor, which) => [minor, all[which]?.[index] ?? {}]),
    ),
  }));
  if (target !== undefined) {
    const oracles = authenticationOraclesFingerprint();
    writeFileSync(recordedFile, brotliCompressSync(JSON.stringify({ oracles, judged })));
  }
  return judged.map(({ answers }) => answers);
}

/** What was recorded. */
export function recordedAuthentication(): RecordedAuthentication {
  if (!existsSync(recordedFile)) {
    throw new Error(`There is no recording ${recordedFile}; make it with: ${recordCommand}`);
  }
  return JSON.parse(
    brotliDecompressSync(readFileSync(recordedFile)).toString(),
  ) as RecordedAuthentication;
}

async function ask(
  program: string,
  requests: readonly AuthenticationRequest[],
): Promise<readonly AuthenticationAnswer[]> {
  const oracle = new OracleProcess(program);
  try {
    return await Promise.all(
      requests.map(async (request) => (await oracle.ask({ ...request })) as AuthenticationAnswer),
    );
  } finally {
    oracle.close();
  }
}
