import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** A cluster for Terraform, on machines that wait for their configuration. */
export interface TerraformCluster {
  /** The folder with `terraform-provider-talos`. */
  readonly provider: string;
  readonly endpoint: string;
  readonly controlPlanes: readonly string[];
  readonly workers: readonly string[];
}

/**
 * Has Terraform make a cluster with siderolabs/talos.
 *
 * @param folder for the program and the state
 * @returns the path of the state file, and what `terraform show -json` prints
 * @throws Error with what Terraform printed
 */
export async function applyTerraform(
  folder: string,
  cluster: TerraformCluster,
): Promise<{ readonly stateFile: string; readonly shown: string }> {
  const settings = join(folder, "terraformrc");
  await writeFile(
    settings,
    `provider_installation {
  dev_overrides {
    "siderolabs/talos" = ${JSON.stringify(cluster.provider)}
  }
  direct {}
}
`,
  );
  await writeFile(join(folder, "main.tf"), programOf(cluster));
  const terraform = (...args: readonly string[]) =>
    promisify(execFile)("terraform", args, {
      cwd: folder,
      env: { ...process.env, TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1" },
    });
  await terraform("apply", "-auto-approve", "-no-color");
  const { stdout: shown } = await terraform("show", "-json");
  return { stateFile: join(folder, "terraform.tfstate"), shown };
}

function programOf({ endpoint, controlPlanes, workers }: TerraformCluster): string {
  const list = (values: readonly string[]) => `[${values.map((each) => `"${each}"`).join(", ")}]`;
  const configuration = (type: string, patches: string) => `
data "talos_machine_configuration" "${type}" {
  cluster_name       = "demo"
  cluster_endpoint   = "${endpoint}"
  machine_type       = "${type}"
  machine_secrets    = talos_machine_secrets.this.machine_secrets
  talos_version      = "v1.12"
  kubernetes_version = "1.35.0"
  config_patches     = [${patches}]
}
`;
  return `
terraform {
  required_providers {
    talos = { source = "siderolabs/talos" }
  }
}
resource "talos_machine_secrets" "this" {
  talos_version = "v1.12"
}
${configuration("controlplane", "")}
${configuration("worker", `yamlencode({ machine = { nodeLabels = { pool = "apps" } } })`)}
resource "talos_machine_configuration_apply" "controlplane" {
  count                       = ${controlPlanes.length}
  client_configuration        = talos_machine_secrets.this.client_configuration
  machine_configuration_input = data.talos_machine_configuration.controlplane.machine_configuration
  node                        = ${list(controlPlanes)}[count.index]
  config_patches = [
    yamlencode({ machine = { nodeAnnotations = { number = tostring(count.index) } } }),
  ]
}
resource "talos_machine_configuration_apply" "worker" {
  for_each                    = toset(${list(workers)})
  client_configuration        = talos_machine_secrets.this.client_configuration
  machine_configuration_input = data.talos_machine_configuration.worker.machine_configuration
  node                        = each.key
}
resource "talos_machine_bootstrap" "this" {
  depends_on           = [talos_machine_configuration_apply.controlplane]
  client_configuration = talos_machine_secrets.this.client_configuration
  node                 = "${controlPlanes[0] ?? ""}"
}
resource "talos_cluster_kubeconfig" "this" {
  depends_on           = [talos_machine_bootstrap.this]
  client_configuration = talos_machine_secrets.this.client_configuration
  node                 = "${controlPlanes[0] ?? ""}"
}
`;
}
