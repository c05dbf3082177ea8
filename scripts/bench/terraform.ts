import { execFile, execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { withUsage } from "./engineProcesses";
import type { StackMeasurement, StepMeasurement } from "./stackWork";

/** The peer that is measured: terraform, and the provider for Talos as a program that it runs without `init`. */
export interface TerraformTools {
  readonly terraform: string;
  /** The folder of `terraform-provider-talos`. */
  readonly providerDir: string;
}

/** Terraform and its provider for Talos on PATH, or undefined if one of them isn't there. */
export function findTerraform(): TerraformTools | undefined {
  const terraform = findOnPath("terraform");
  const provider = findOnPath("terraform-provider-talos");
  return terraform === undefined || provider === undefined
    ? undefined
    : { terraform, providerDir: dirname(provider) };
}

/** Such as "v1.11.4". */
export function terraformVersion({ terraform }: TerraformTools): string {
  const output = execFileSync(terraform, ["version", "-json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return `v${(JSON.parse(output) as { readonly terraform_version: string }).terraform_version}`;
}

/** The stack of `stackPrograms.configurations` in terraform's words: the same secrets, machines and patches. */
const configurationsOf = (size: number): string => `
terraform {
  required_providers {
    talos = { source = "siderolabs/talos" }
  }
}

variable "label" {
  type = string
}

resource "talos_machine_secrets" "secrets" {
  talos_version = "v1.12"
}

data "talos_machine_configuration" "machine" {
  count              = ${size}
  cluster_name       = "bench"
  cluster_endpoint   = "https://10.0.0.1:6443"
  machine_type       = count.index < 3 ? "controlplane" : "worker"
  machine_secrets    = talos_machine_secrets.secrets.machine_secrets
  talos_version      = "v1.12.1"
  kubernetes_version = "1.34.1"
  docs               = false
  examples           = false
  config_patches = [yamlencode({
    machine = {
      install = { disk = "/dev/sda" }
      nodeLabels = {
        "example.com/machine" = "machine-\${count.index}"
        "example.com/round"   = count.index == 0 ? var.label : "same"
      }
    }
  })]
}
`;

/**
 * Measures the same stack as `measureStack` with `configurations`, made by terraform. The state is a file, as terraform
 * writes it by default.
 *
 * @throws Error with what terraform printed, when one of its commands fails
 */
export async function measureTerraform(
  { terraform, providerDir }: TerraformTools,
  size: number,
): Promise<StackMeasurement> {
  const folder = await mkdtemp(join(tmpdir(), "talos-aws-bench-"));
  try {
    const settings = join(folder, "terraform.rc");
    await writeFile(
      settings,
      `disable_checkpoint = true
provider_installation {
  dev_overrides { "siderolabs/talos" = ${JSON.stringify(providerDir)} }
}
`,
    );
    await writeFile(join(folder, "main.tf"), configurationsOf(size));
    const timed = async (...args: readonly string[]): Promise<StepMeasurement> => {
      const start = performance.now();
      const { engine, plugin, aws } = await withUsage(async () => {
        await promisify(execFile)(terraform, [...args, "-no-color", "-input=false"], {
          cwd: folder,
          env: { ...process.env, TF_CLI_CONFIG_FILE: settings },
          maxBuffer: 100 * 1024 * 1024,
        });
      });
      // This process has no part in it: it only looks on.
      const usage = { engine, plugin, aws, program: { cpuSeconds: 0, peakMiB: 0 } };
      return { seconds: (performance.now() - start) / 1000, usage };
    };
    const apply = (label: string) => timed("apply", "-auto-approve", `-var=label=${label}`);
    const up = await apply("first");
    const preview = await timed("plan", "-detailed-exitcode", "-var=label=first");
    const same = await apply("first");
    const label = await apply("second");
    const { size: stateBytes } = await stat(join(folder, "terraform.tfstate"));
    return { kind: "terraform", size, up, preview, same, label, resources: size + 1, stateBytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function findOnPath(program: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
