import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { EC2Client } from "@aws-sdk/client-ec2";
import { LocalWorkspace, type PulumiFn, type Stack } from "@pulumi/pulumi/automation";
import { claimAddressSlice } from "../../../emulator/aws/addressSlice";
import { startMotoServer } from "../../../emulator/aws/motoServer";
import { servePlugin } from "../../../emulator/aws/plugin/server";
import { ensureMoto } from "../../../emulator/aws/pythonEnvironment";
import { packageRoot } from "../../../emulator/packageRoot";
import { quickNodeOptions } from "../../../scripts/openStack";
import { assertAllowed } from "./assertAllowed";
import { STATE_WRITTEN_ONCE } from "./attachPlugins";
import { engineFromEnvironment } from "./engineFromEnvironment";
import { judgingPlugin } from "./judgingPlugin";
import { readLater } from "./readLater";
import { makeSecretsKey } from "./secretsKey";

/** The region everything lies in. */
export const REGION = "us-east-1";

const credentials = { accessKeyId: "emulator", secretAccessKey: "emulator" };

/** An emulated AWS without machines that do anything, and a stack on it, run by the real engine. */
export interface AwsWorld {
  readonly stack: Stack;
  readonly ec2: EC2Client;
  /** Where AWS is served. */
  readonly url: string;
  /** First three numbers of the public addresses of instances. */
  readonly instanceNetwork: string;
  readonly close: () => Promise<void>;
}

/** Starts one whose stack is named `test`. `close` it, also after a failure. */
export async function startAwsWorld(project: string, program: PulumiFn): Promise<AwsWorld> {
  const root = packageRoot();
  const pulumiCommand = await engineFromEnvironment();
  const { python } = await ensureMoto();
  const slice = await claimAddressSlice();
  const violations: string[] = [];
  const moto = await startMotoServer({
    python,
    instanceNetwork: slice.instanceNetwork,
    elasticNetwork: slice.elasticNetwork,
    warmUpMs: 200,
    onChange: () => undefined,
    onViolation: (text) => violations.push(text),
    onUnexpectedEnd: (reason) => process.stderr.write(`${reason}\n`),
    onLog: () => undefined,
  });
  const ec2 = new EC2Client({ region: REGION, endpoint: moto.url, credentials });
  const environment = {
    AWS_ENDPOINT_URL: moto.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  const judge = await judgingPlugin();
  const substitute = judge.isSubstitute
    ? await servePlugin({ ...process.env, ...environment })
    : undefined;
  const parent = path.join(root, ".cache", "test");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(path.join(parent, `${project}-`));
  await mkdir(path.join(folder, "backend"));
  await writeFile(path.join(folder, "Pulumi.yaml"), `name: ${project}\nruntime: nodejs\n`);
  const stack = await LocalWorkspace.createStack(
    { stackName: "test", projectName: project, program },
    {
      workDir: folder,
      pulumiCommand,
      secretsProvider: await makeSecretsKey({ url: moto.url, region: REGION }),
      envVars: {
        PULUMI_BACKEND_URL: `file://${path.join(folder, "backend")}`,
        PULUMI_HOME: path.join(folder, "home"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        ...environment,
        NODE_OPTIONS: quickNodeOptions(),
        ...STATE_WRITTEN_ONCE,
        ...(substitute && { PULUMI_DEBUG_PROVIDERS: `aws:${substitute.port}` }),
        PATH: [
          ...judge.pluginDirs,
          path.join(root, "node_modules", "@pulumi", "pulumi"),
          process.env.PATH ?? "",
        ].join(path.delimiter),
      },
    },
  );
  return {
    stack: readLater(stack),
    ec2,
    url: moto.url,
    instanceNetwork: slice.instanceNetwork,
    close: async () => {
      substitute?.close();
      ec2.destroy();
      await moto.stop();
      await slice.release();
      await rm(folder, { recursive: true, force: true });
      assertAllowed(violations);
    },
  };
}
