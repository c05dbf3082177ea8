import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { issueClientCredentials } from "../../provider/pki/clientCredentials";
import { renderTalosconfig } from "../../provider/pki/renderTalosconfig";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../emulator/talos/simulatedCluster";
import { runCommand, starts } from "./support/runCommand";
import { describeWithTalosctl } from "./support/talosctl";

const kubectl = process.env.KUBECTL ?? "kubectl";
const hasKubectl = starts(kubectl, ["version", "--client"]);
if (!hasKubectl) {
  console.warn(
    "skipped: no kubectl on PATH; install it or set KUBECTL to it to try it on simulated nodes",
  );
}

// One cluster's life: each test goes on where the one before it ended.
describeWithTalosctl("the real talosctl on simulated nodes", (talosctl) => {
  let cluster: SimulatedCluster;
  let controlPlanes: SimulatedNode[];
  let worker: SimulatedNode;
  let [a, b, c, w]: string[] = [];

  beforeAll(async () => {
    cluster = await SimulatedCluster.create({ joinMs: 100, rebootMs: 100 });
    controlPlanes = [await cluster.add(), await cluster.add(), await cluster.add()];
    worker = await cluster.add();
    [a, b, c] = controlPlanes.map(({ address }) => address);
    w = worker.address;
    talosctl.write("controlplane.yaml", cluster.config("controlplane"));
    talosctl.write("worker.yaml", cluster.config("worker"));
    for (const role of ["os:admin", "os:reader"] as const) {
      const credentials = await issueClientCredentials(cluster.secrets.certs.os, {
        roles: [role],
        now: new Date(Date.now() - 60_000),
        lifetimeHours: 1,
      });
      const endpoints = [a, b, c].map((endpoint) => endpoint ?? "");
      const text = renderTalosconfig({ clusterName: "sim", endpoints, nodes: [], credentials });
      talosctl.write(`${role.slice(3)}.talosconfig`, text);
    }
  });
  afterAll(async () => {
    await cluster.stop();
  });

  const talosAs = (role: string, args: readonly string[], timeoutMs = 30_000) =>
    talosctl.start(args, { environment: { TALOSCONFIG: `${role}.talosconfig` }, timeoutMs });
  const talos = (...args: readonly string[]) => talosAs("admin", args);
  const kube = (...args: readonly string[]) =>
    runCommand(kubectl, args, {
      cwd: talosctl.folder,
      environment: { KUBECONFIG: "kubeconfig", HOME: talosctl.folder },
    });
  const succeed = async (...args: string[]): Promise<string> => {
    const { code, output } = await talos(...args);
    expect({ args, code, output }).toMatchObject({ code: 0 });
    return output;
  };

  test("finds them in maintenance mode", async () => {
    expect(await succeed("get", "machinestatus", "--insecure", "-n", `${a}`)).toMatch(
      /^NODE +NAMESPACE +TYPE +ID +VERSION +STAGE +READY\n +runtime +MachineStatus +machine +1 +maintenance +true\n$/,
    );
    expect((await talos("version", "--insecure", "-n", `${a}`)).output).toContain(
      "rpc error: code = Unimplemented desc = API is not implemented in maintenance mode",
    );
    expect(await succeed("get", "disks", "--insecure", "-n", `${a}`)).toContain(
      "Amazon Elastic Block Store",
    );
  });

  test("configures them", async () => {
    const apply = (node: string | undefined, file: string, ...rest: string[]) =>
      succeed("apply-config", "--insecure", "-n", `${node}`, "-f", file, ...rest);
    expect(await apply(a, "controlplane.yaml", "--dry-run")).toBe(
      "Dry run summary:\nNode is running in maintenance mode and does not have a config yet.\n",
    );
    expect(controlPlanes[0]?.node.stage).toBe("maintenance");
    for (const node of [a, b, c]) {
      expect(await apply(node, "controlplane.yaml")).toBe("");
    }
    expect(await apply(w, "worker.yaml")).toBe("");
    await eventually(() =>
      [...controlPlanes, worker].every(({ node }) => node.stage === "running"),
    );
  });

  test("gets their versions, one through another", async () => {
    const output = await succeed("version", "-n", [a, w, worker.privateAddress].join());
    for (const node of [a, w, worker.privateAddress]) {
      expect(output).toMatch(new RegExp(`NODE: +${node}\n\tTag: +v1\\.12\\.1\n`));
    }
    expect(output).toContain("Enabled:     RBAC");
    expect((await talos("version", "-e", `${w}`, "-n", `${a}`)).output).toContain(
      "rpc error: code = PermissionDenied desc = no request forwarding",
    );
  });

  test("shows etcd waiting", async () => {
    const output = await succeed("service", "etcd", "-n", `${a}`);
    expect(output).toMatch(
      /STATE +Preparing\nHEALTH +\?\nEVENTS +\[Preparing\]: Running pre state/,
    );
    expect(await succeed("get", "machinestatus", "-n", `${a}`, "-o", "yaml")).toContain(
      'spec:\n    stage: booting\n    status:\n        ready: false\n        unmetConditions:\n            - name: services\n              reason: etcd not running\n            - name: nodeReady\n              reason: node "ip-10-0-1-1" status is not available yet\n',
    );
  });

  test("bootstraps one", async () => {
    expect((await talos("bootstrap", "-n", `${w}`)).output).toContain(
      "code = FailedPrecondition desc = bootstrap can only be performed on a control plane node",
    );
    expect(await succeed("bootstrap", "-n", `${a}`)).toBe("");
    await eventually(async () => {
      const { output } = await talos("etcd", "members", "-n", `${a}`);
      return output.match(/false$/gm)?.length === 3;
    });
    expect((await talos("bootstrap", "-n", `${a}`)).output).toContain(
      "code = AlreadyExists desc = etcd data directory is not empty",
    );
    expect(controlPlanes[0]?.node.bootstrapCalls).toBe(2);
  });

  test("shows etcd's members", async () => {
    const output = await succeed("etcd", "members", "-n", `${b}`);
    expect(output).toMatch(/^NODE +ID +HOSTNAME +PEER URLS +CLIENT URLS +LEARNER\n/);
    for (const number of [1, 2, 3]) {
      expect(output).toMatch(
        new RegExp(
          `${b} +[0-9a-f]{16} +ip-10-0-1-${number} +https://10\\.0\\.1\\.${number}:2380 +https://10\\.0\\.1\\.${number}:2379 +false\n`,
        ),
      );
    }
    const status = await succeed("etcd", "status", "-n", [a, b, c].join());
    expect(status.split("\n").filter((line) => line.includes("3.6.7"))).toHaveLength(3);
  });

  test("shows the cluster's members", async () => {
    const lines = (await succeed("get", "members", "-n", `${c}`)).trim().split("\n");
    expect(lines[0]).toMatch(
      /^NODE +NAMESPACE +TYPE +ID +VERSION +HOSTNAME +MACHINE TYPE +OS +ADDRESSES$/,
    );
    expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(3))).toEqual(
      [1, 2, 3, 4].map((number) => [
        `ip-10-0-1-${number}`,
        "1",
        `ip-10-0-1-${number}.ec2.internal`,
        number === 4 ? "worker" : "controlplane",
        "Talos (v1.12.1)",
        `["10.0.1.${number}"]`,
      ]),
    );
  });

  test.each([
    ["nodename", /k8s +Nodename +nodename +1 +ip-10-0-1-1\n/],
    ["hostname", /network +HostnameStatus +hostname +1 +ip-10-0-1-1 +ec2\.internal\n/],
    ["addresses", /network +AddressStatus +ens5\/10\.0\.1\.1\/24 +1 +10\.0\.1\.1\/24 +ens5\n/],
    ["mc", /config +MachineConfig +persistent +1\n.*config +MachineConfig +v1alpha1 +1\n/],
    ["identities", /cluster +Identity +local +1 +\w{40,}\n/],
    ["platformmetadata", /runtime +PlatformMetadata +platformmetadata +1 +aws +m6i\.large +/],
  ])("gets %s", async (resource, expected) => {
    expect(await succeed("get", resource, "-n", `${a}`)).toMatch(expected);
  });

  test("cannot get missing or forbidden resources", async () => {
    expect((await talos("get", "foos", "-n", `${a}`)).output).toContain(
      'resource "foos" is not registered',
    );
    expect((await talos("get", "ns", "-n", `${a}`)).output).toContain(
      'resource type "ns" is ambiguous: [namespaces.meta.cosi.dev networkstatuses.net.talos.dev nodestatuses.kubernetes.talos.dev]',
    );
    expect((await talos("get", "members", "nope", "-n", `${a}`)).output).toContain(
      "resource Members.cluster.talos.dev(cluster/nope@undefined) doesn't exist",
    );
    const refused = await talosAs("reader", ["get", "mc", "-n", `${a}`]);
    expect(refused.output).toContain("code = PermissionDenied desc = not authorized");
    const insecure = await talos("get", "members", "--insecure", "-n", `${a}`);
    expect(insecure.output).toMatch(/certificate required|broken pipe|connection reset/);
  });

  test("lists services", async () => {
    const services = async (node: string | undefined) => {
      const output = await succeed("services", "-n", `${node}`);
      return output
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(/ +/).slice(1, 4).join(" "));
    };
    const everywhere = [
      "apid Running OK",
      "auditd Running OK",
      "containerd Running OK",
      "cri Running OK",
      "dashboard Running ?",
      "kubelet Running OK",
      "machined Running OK",
      "syslogd Running OK",
      "udevd Running OK",
    ];
    expect(await services(w)).toEqual(everywhere);
    expect(await services(b)).toEqual(
      [...everywhere, "etcd Running OK", "trustd Running OK"].sort(),
    );
  });

  test("tells the time", async () => {
    expect(await succeed("time", "-n", `${a}`)).toMatch(
      /NODE +NTP-SERVER +NODE-TIME +NTP-SERVER-TIME\n\S+ +time\.cloudflare\.com +\d{4}-/,
    );
  });

  test("patches a configuration", async () => {
    const patch = (...rest: string[]) => talos("patch", "mc", "-n", `${b}`, ...rest);
    const live = '{"machine":{"sysctls":{"vm.max_map_count":"262144"}}}';
    const dry = await patch("--patch", live, "--dry-run");
    expect(dry.output).toContain(
      "Dry run summary:\nApplied configuration without a reboot (skipped in dry-run).\nConfig diff:\n\n--- a\n+++ b\n@@ ",
    );
    expect(dry.output).toContain('+    sysctls:\n+        vm.max_map_count: "262144"\n');
    expect((await patch("--patch", live)).output).toContain(
      "Applied configuration without a reboot",
    );
    const refused = await patch("--patch", '{"machine":{"env":{"A":"b"}}}', "--mode", "no-reboot");
    expect(refused.output).toContain(
      "this config change can't be applied in immediate mode\ndiff:\n--- a\n",
    );
    expect(await succeed("get", "mc", "v1alpha1", "-n", `${b}`, "-o", "yaml")).toContain(
      "vm.max_map_count",
    );
  });

  test("watches", async () => {
    const { output } = await talosAs("admin", ["get", "members", "--watch", "-n", `${a}`], 3000);
    expect(output.match(/ \+ +cluster +Member /g)).toHaveLength(4);
  });

  test("fetches a kubeconfig", async () => {
    const file = join(talosctl.folder, "kubeconfig");
    expect(await succeed("kubeconfig", file, "-n", `${a}`, "--force", "--merge=false")).toBe("");
    expect(await readFile(file, "utf8")).toContain("current-context: admin@sim");
    expect((await talos("kubeconfig", file, "-n", `${w}`, "--force")).output).toContain(
      "kubeconfig is only available on control plane nodes",
    );
  });

  (hasKubectl ? describe : describe.skip)("and the real kubectl", () => {
    test("gets nodes, every one Ready", async () => {
      await eventually(async () => {
        const { output } = await kube("get", "nodes", "--no-headers");
        return output.match(/ Ready /g)?.length === 4;
      });
      const { output } = await kube("get", "nodes", "-o", "wide");
      expect(output).toMatch(
        /^NAME +STATUS +ROLES +AGE +VERSION +INTERNAL-IP +EXTERNAL-IP +OS-IMAGE +KERNEL-VERSION +CONTAINER-RUNTIME\n/,
      );
      expect(output).toMatch(
        new RegExp(
          `ip-10-0-1-1 +Ready +control-plane +\\S+ +v1\\.35\\.0 +10\\.0\\.1\\.1 +${a} +Talos \\(v1\\.12\\.1\\) `,
        ),
      );
      expect(output).toMatch(/ip-10-0-1-4 +Ready +<none> +/);
    });

    test("waits, selects, prints JSON, and reports missing objects", async () => {
      const waited = await kube("wait", "--for=condition=Ready", "node", "--all", "--timeout=20s");
      expect(waited).toMatchObject({ code: 0 });
      const selected = await kube(
        "get",
        "nodes",
        "-l",
        "!node-role.kubernetes.io/control-plane",
        "-o",
        "name",
      );
      expect(selected.output).toBe("node/ip-10-0-1-4\n");
      const { output } = await kube("get", "nodes", "-o", "json");
      expect(JSON.parse(output)).toMatchObject({ kind: "List", items: { length: 4 } });
      expect((await kube("get", "pods", "--all-namespaces")).output).toMatch(
        /^kube-system +kube-apiserver-ip-10-0-1-1 +1\/1 +Running +0 +\S+$/m,
      );
      expect((await kube("get", "node", "nope")).output).toContain(
        'Error from server (NotFound): nodes "nope" not found',
      );
    });

    test("creates, applies, prints and deletes objects", async () => {
      talosctl.write("web.yaml", web(2));
      const asked = async (...args: string[]) => (await kube(...args)).output;
      expect(await asked("create", "-f", "web.yaml")).toBe(
        "deployment.apps/web created\npoddisruptionbudget.policy/web created\n",
      );
      expect(await asked("create", "-f", "web.yaml")).toContain(
        'Error from server (AlreadyExists): error when creating "web.yaml": deployments.apps "web" already exists',
      );
      expect(await asked("rollout", "status", "deployment/web", "--timeout=30s")).toContain(
        'deployment "web" successfully rolled out',
      );
      expect(await asked("get", "pdb")).toMatch(
        /^NAME +MIN AVAILABLE +MAX UNAVAILABLE +ALLOWED DISRUPTIONS +AGE\nweb +2 +N\/A +0 +\S+\n$/,
      );
      const serverSide = ["apply", "--server-side", "-f", "web.yaml"] as const;
      expect(await asked(...serverSide, "--field-manager=one")).toBe(
        "deployment.apps/web serverside-applied\npoddisruptionbudget.policy/web serverside-applied\n",
      );
      talosctl.write("web.yaml", web(3));
      expect(await asked(...serverSide, "--field-manager=two")).toContain(
        'Apply failed with 2 conflicts: conflicts with "kubectl-create" using apps/v1:\n- .spec.replicas\nconflicts with "one":\n- .spec.replicas\n',
      );
      const settings = (data: string) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: ${data}\n`;
      // What kubectl makes without a file it sends in the binary form, which nothing here reads.
      talosctl.write("settings.yaml", settings("{a: '1'}"));
      expect(await asked("create", "-f", "settings.yaml")).toBe("configmap/settings created\n");
      expect(await asked("label", "configmap", "settings", "tier=web")).toBe(
        "configmap/settings labeled\n",
      );
      talosctl.write("settings.yaml", settings("{b: '2'}"));
      expect(await asked("apply", "-f", "settings.yaml")).toContain(
        "configmap/settings configured",
      );
      expect(await asked("get", "configmap", "settings", "-o", "jsonpath={.data}")).toBe(
        '{"a":"1","b":"2"}',
      );
      expect(await asked("delete", "configmap", "settings")).toBe('configmap "settings" deleted\n');
    });

    test("drains a node, respects a PodDisruptionBudget, and uncordons the node", async () => {
      const asked = async (...args: string[]) => (await kube(...args)).output;
      await asked("patch", "pdb", "web", "--type=merge", "-p", '{"spec":{"minAvailable":2}}');
      const drain = ["drain", "ip-10-0-1-4", "--ignore-daemonsets"];
      expect(await asked(...drain, "--timeout=2s")).toContain(
        "Cannot evict pod as it would violate the pod's disruption budget.",
      );
      expect(await asked("get", "nodes")).toMatch(/ip-10-0-1-4 +Ready,SchedulingDisabled /);
      await asked("patch", "pdb", "web", "--type=merge", "-p", '{"spec":{"minAvailable":0}}');
      expect(await asked(...drain, "--timeout=30s")).toContain("node/ip-10-0-1-4 drained\n");
      const pending = await asked("get", "pods", "-l", "app=web", "-o", "wide", "--no-headers");
      expect(pending).toMatch(/^web-\S+ +0\/1 +Pending .*\nweb-\S+ +0\/1 +Pending .*\n$/);
      expect(await asked("uncordon", "ip-10-0-1-4")).toBe("node/ip-10-0-1-4 uncordoned\n");
      await asked("rollout", "status", "deployment/web", "--timeout=30s");
      expect(await asked("delete", "-f", "web.yaml")).toBe(
        'deployment.apps "web" deleted\npoddisruptionbudget.policy "web" deleted\n',
      );
      await eventually(async () => (await asked("get", "pods")).startsWith("No resources found"));
    });

    test("gets the server's version and health", async () => {
      expect((await kube("version")).output).toContain("Server Version: v1.35.0");
      expect((await kube("get", "--raw", "/readyz")).output).toBe("ok");
    });
  });

  test("reboots, resets and shuts down", async () => {
    await succeed("reboot", "-n", `${c}`, "--wait=false");
    await eventually(async () => {
      const { output } = await talos("etcd", "status", "-n", `${c}`);
      return controlPlanes[2]?.node.stage === "running" && output.includes("3.6.7");
    });
    const wiped = ["--system-labels-to-wipe", "STATE,EPHEMERAL"];
    await succeed("reset", "-n", `${w}`, "--wait=false", "--reboot", ...wiped);
    await eventually(() => worker.node.stage === "maintenance");
    await succeed("shutdown", "-n", `${b}`, "--wait=false");
    await eventually(() => controlPlanes[1]?.node.stage === "stopped");
    expect((await talos("version", "-n", `${b}`)).output).toContain("i/o timeout");
  });
});

/** A Deployment of so many pods, of which two have to be there. */
function web(replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "nginx:1.27"}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec:
  minAvailable: 2
  selector: {matchLabels: {app: web}}
`;
}
