import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import * as languageServices from "@pulumi/pulumi/proto/language_grpc_pb";
import * as language from "@pulumi/pulumi/proto/language_pb";
import * as plugin from "@pulumi/pulumi/proto/plugin_pb";

/** What stands for "the program has said itself what is wrong". Source: @pulumi/pulumi, cmd/run. */
const BAIL_EXIT_CODE = 32;

/** Runs a program to its end, and returns its exit code. */
export type RunProgram = (request: language.RunRequest, engine: string) => Promise<number | null>;

/** The part of the CLI that runs programs, on an address for `pulumi --client=…`. */
export interface LanguageHost {
  readonly address: string;
  /**
   * Writes it into a folder as the plugin `pulumi-language-nodejs`, which an engine starts itself
   * when the folder is on its PATH.
   */
  readonly installInto: (folder: string) => void;
  readonly close: () => void;
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
  let engineFile: string | undefined;
  /** An engine that starts a plugin tells it its address; one that is given a client tells that with each run. */
  const engineOf = (request: language.RunRequest) =>
    request.getArgsList()[0] ?? (engineFile === undefined ? "" : readFileSync(engineFile, "utf8"));
  const unary =
    <Request, Response>(answer: (request: Request) => Promise<Response> | Response) =>
    (call: grpc.ServerUnaryCall<Request, Response>, done: grpc.sendUnaryData<Response>) => {
      Promise.resolve(answer(call.request)).then(
        (response) => done(null, response),
        (error: unknown) => done({ code: grpc.status.UNKNOWN, details: String(error) }),
      );
    };
  const { getPluginInfo, getRequiredPackages, run } = languageServices.LanguageRuntimeService;
  server.addService(
    { getPluginInfo, getRequiredPackages, run },
    {
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
  return {
    address: `127.0.0.1:${port}`,
    installInto: (folder) => {
      engineFile = join(folder, "engine-address");
      const plugin = join(folder, "pulumi-language-nodejs");
      // Its last argument is the engine's address; it says the port, and ends when it is ended.
      const script = [
        "#!/bin/sh",
        `for last; do :; done`,
        `printf %s "$last" > "${engineFile}"`,
        `echo ${port}`,
        "exec sleep 3600",
      ];
      writeFileSync(plugin, `${script.join("\n")}\n`, { mode: 0o755 });
    },
    close: () => {
      server.forceShutdown();
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

function runNodeProgram(request: language.RunRequest, engine: string): Promise<number | null> {
  const entry = request.getInfo()?.getEntryPoint() ?? request.getProgram();
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
    `--require=${join(__dirname, "../../plainStacks.cjs")}`,
    runner,
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...(request.getDryrun() ? ["--dry-run"] : []),
    entry,
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...configurationOf(request), PULUMI_NODEJS_TYPESCRIPT: "false" },
  });
  return new Promise((resolve) => child.once("exit", resolve));
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
