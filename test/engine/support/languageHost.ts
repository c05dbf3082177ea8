import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import * as languageServices from "@pulumi/pulumi/proto/language_grpc_pb";
import * as language from "@pulumi/pulumi/proto/language_pb";
import * as plugin from "@pulumi/pulumi/proto/plugin_pb";

/** What stands for "the program has said itself what is wrong". Source: @pulumi/pulumi, cmd/run. */
const BAIL_EXIT_CODE = 32;

/** Runs a program to its end, and returns its exit code. */
export type RunProgram = (request: language.RunRequest, engine: string) => Promise<number | null>;

/** The part of the CLI that runs programs. */
export interface LanguageHost {
  /** Its address, for `pulumi --client=…`. */
  readonly address: string;
  /**
   * A folder with it as the plugin `pulumi-language-nodejs`, which an engine starts itself when the folder
   * is on its PATH. One engine at a time.
   */
  readonly folder: string;
  readonly close: () => void;
}

/**
 * The folder with the host that runs programs in Node.js: Pulumi's own where `npm test` has found it beside
 * the engine or on PATH, else that of these tests.
 */
export function nodeHostFolder(host: LanguageHost): string {
  return process.env.PULUMI_NODE_HOST ?? host.folder;
}

/**
 * Serves the engine as `pulumi-language-nodejs` does, which a CLI from Pulumi has beside it and an
 * engine built from source has not: it starts Pulumi's own runner with the project's program.
 *
 * @param runProgram runs the program of a project in another language. Default: Node.js
 */
export async function startLanguageHost(
  runProgram: RunProgram = runNodeProgram,
): Promise<LanguageHost> {
  const server = new grpc.Server();
  const folder = mkdtempSync(join(tmpdir(), "talos-aws-host-"));
  const engineFile = join(folder, "engine-address");
  /** An engine that is given a client tells its address with each run; one that starts a plugin, at its start. */
  const engineOf = (request: language.RunRequest) =>
    request.getArgsList()[0] ?? readFileSync(engineFile, "utf8");
  const unary =
    <Request, Response>(answer: (request: Request) => Promise<Response> | Response) =>
    (call: grpc.ServerUnaryCall<Request, Response>, done: grpc.sendUnaryData<Response>) => {
      Promise.resolve(answer(call.request)).then(
        (response) => done(null, response),
        (error: unknown) => done({ code: grpc.status.UNKNOWN, details: String(error) }),
      );
    };
  const { getPluginInfo, getRequiredPackages, run, runPlugin } =
    languageServices.LanguageRuntimeService;
  server.addService(
    { getPluginInfo, getRequiredPackages, run, runPlugin },
    {
      runPlugin: runPolicyPack,
      getPluginInfo: unary(() => new plugin.PluginInfo()),
      getRequiredPackages: unary(() => new language.GetRequiredPackagesResponse()),
      run: unary(async (request: language.RunRequest) =>
        runResponse(await runProgram(request, engineOf(request))),
      ),
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error) {
        reject(error);
      } else {
        resolve(bound);
      }
    });
  });
  // Its last argument is the engine's address; it says the port, and ends when it is ended.
  const script = [
    "#!/bin/sh",
    `for last; do :; done`,
    `printf %s "$last" > "${engineFile}"`,
    `echo ${port}`,
    "exec sleep 3600",
  ];
  writeFileSync(join(folder, "pulumi-language-nodejs"), `${script.join("\n")}\n`, { mode: 0o755 });
  return {
    address: `127.0.0.1:${port}`,
    folder,
    close: () => {
      server.forceShutdown();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The program's settings, by which Pulumi's SDKs of all languages know them. */
export function configurationOf(request: language.RunRequest): Readonly<Record<string, string>> {
  return {
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  };
}

/** Options of the runtime `nodejs` in a `Pulumi.yaml`. Source: pulumi v3.230.0, pulumi-language-nodejs. */
interface RuntimeOptions {
  /** Whether the program is TypeScript, which the runner compiles. Default: true. */
  readonly typescript?: boolean;
  /** Path of its compiler's settings. Default: `tsconfig.json`. */
  readonly tsconfig?: string;
}

function runNodeProgram(request: language.RunRequest, engine: string): Promise<number | null> {
  const info = request.getInfo();
  const { typescript = true, tsconfig } = (info?.getOptions()?.toJavaScript() ??
    {}) as RuntimeOptions;
  // As Pulumi's own does it, the program is run by the SDK that it has installed.
  const runner = require.resolve("@pulumi/pulumi/cmd/run", { paths: [request.getPwd()] });
  const options = {
    monitor: request.getMonitorAddress(),
    engine,
    project: request.getProject(),
    stack: request.getStack(),
    pwd: request.getPwd(),
    parallel: String(request.getParallel()),
  };
  const args = [
    `--require=${join(__dirname, "../../withoutTraces.cjs")}`,
    runner,
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...(request.getDryrun() ? ["--dry-run"] : []),
    info?.getEntryPoint() ?? request.getProgram(),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      ...configurationOf(request),
      ...(typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
      ...(tsconfig !== undefined && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
    },
  });
  return new Promise((resolve) => child.once("exit", resolve));
}

/** Runs a policy pack, the one kind of plugin that these tests run from its source. */
function runPolicyPack(
  call: grpc.ServerWritableStream<language.RunPluginRequest, language.RunPluginResponse>,
): void {
  const { request } = call;
  const pack = request.getInfo()?.getProgramDirectory() ?? request.getPwd();
  const runner = require.resolve("@pulumi/pulumi/cmd/run-policy-pack", { paths: [pack] });
  const child = spawn(process.execPath, [runner, ...request.getArgsList(), pack], {
    cwd: pack,
    env: {
      ...process.env,
      ...variablesOf(request.getEnvList()),
      PULUMI_NODEJS_TYPESCRIPT: "true",
    },
  });
  child.stdout.on("data", (part: Buffer) =>
    call.write(new language.RunPluginResponse().setStdout(part)),
  );
  child.stderr.on("data", (part: Buffer) =>
    call.write(new language.RunPluginResponse().setStderr(part)),
  );
  child.once("exit", (code) => {
    call.write(new language.RunPluginResponse().setExitcode(code ?? 1));
    call.end();
  });
  call.once("cancelled", () => child.kill());
}

/** Variables that are given as `NAME=value`. */
function variablesOf(lines: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.indexOf("=");
      return [line.slice(0, end), line.slice(end + 1)] as const;
    }),
  );
}

function runResponse(code: number | null): language.RunResponse {
  const response = new language.RunResponse();
  if (code === BAIL_EXIT_CODE) {
    response.setBail(true);
  } else if (code !== 0) {
    response.setError(`the program ended with exit code ${code ?? "none"}`);
  }
  return response;
}
