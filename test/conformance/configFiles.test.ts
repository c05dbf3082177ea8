import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mergeKubeconfig } from "../../cli/configFiles/mergeKubeconfig";
import { mergeTalosconfig } from "../../cli/configFiles/mergeTalosconfig";
import { removeKubeconfig } from "../../cli/configFiles/removeKubeconfig";
import { removeTalosconfig } from "../../cli/configFiles/removeTalosconfig";
import { issueClientCredentials } from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { renderKubeconfig } from "../../provider/pki/renderKubeconfig";
import { renderTalosconfig } from "../../provider/pki/renderTalosconfig";
import { starts } from "./support/runCommand";
import { describeWithTalosctl } from "./support/talosctl";

const kubectl = process.env.KUBECTL ?? "kubectl";
const hasKubectl = starts(kubectl, ["version", "--client"]);
if (!hasKubectl) {
  console.warn(
    "skipped: no kubectl on PATH; install it or set KUBECTL to it to have it judge files",
  );
}

const kubeconfigOf = (clusterName: string, host: string) =>
  renderKubeconfig({
    clusterName,
    serverUrl: `https://${host}:6443`,
    user: "admin",
    authorityCertificate: "Y2E=",
    client: { crt: "Y3J0", key: "a2V5" },
  });

async function talosconfigOf(clusterName: string, address: string): Promise<string> {
  const now = new Date();
  const bundle = await generateSecretsBundle({ versionContract: "v1.12", now });
  const credentials = await issueClientCredentials(bundle.certs.os, {
    roles: ["os:admin"] as const,
    now,
    lifetimeHours: 1,
  });
  return renderTalosconfig({
    clusterName,
    endpoints: [address],
    nodes: [address],
    credentials,
  });
}

describeWithTalosctl("people's own files", (talosctl) => {
  const file = (name: string) => join(talosctl.folder, name);

  (hasKubectl ? it : it.skip)(
    "kubectl reads its own contexts and ours, and only its own after removal",
    () => {
      const path = file("kube");
      const run = (...args: string[]) =>
        execFileSync(kubectl, ["--kubeconfig", path, "config", ...args], { encoding: "utf8" });
      run("set-cluster", "prod", "--server=https://10.0.0.1:6443");
      run("set-credentials", "me", "--token=0123");
      run("set-context", "home", "--cluster=prod", "--user=me", "--namespace=web");
      run("use-context", "home");
      const before = readFileSync(path, "utf8");
      const own = kubeconfigOf("prod", "k8s.prod.example.org");

      const merged = mergeKubeconfig(before, own);
      writeFileSync(path, merged.text);
      expect(run("get-contexts", "-o", "name").trim().split("\n").sort()).toEqual([
        merged.contextName,
        "home",
      ]);
      expect(run("current-context").trim()).toBe("home");
      const view = run("view", "--minify", "--raw", "--context", merged.contextName);
      expect(view).toContain("server: https://k8s.prod.example.org:6443");
      expect(view).toContain("client-key-data: a2V5");

      // What kubectl has written since is kept, and ours is found in its hand.
      run("set-context", merged.contextName, "--namespace=apps");
      const again = mergeKubeconfig(readFileSync(path, "utf8"), own);
      expect(again.contextName).toBe(merged.contextName);
      expect(again.text).toBe(readFileSync(path, "utf8"));
      expect(removeKubeconfig(again.text, own).text).toBe(before);
    },
  );

  it("talosctl reads its own contexts and ours, numbered as it does, and only its own after removal", async () => {
    const path = file("talos");
    const [theirs, own] = await Promise.all([
      talosconfigOf("prod", "10.0.0.1"),
      talosconfigOf("prod", "10.1.0.1"),
    ]);
    writeFileSync(path, theirs);
    const run = (...args: string[]) => talosctl.run("--talosconfig", path, "config", ...args);
    const contexts = async () => (await run("contexts")).trim().split("\n").slice(1);

    const merged = mergeTalosconfig(theirs, own);
    writeFileSync(path, merged.text);
    expect((await contexts()).map((line) => line.trim().split(/\s+/))).toEqual([
      ["*", "prod", "10.0.0.1", "10.0.0.1"],
      ["prod-1", "10.1.0.1", "10.1.0.1"],
    ]);
    expect(await run("info", "--context", "prod-1")).toContain("os:admin");

    writeFileSync(file("own"), own);
    writeFileSync(path, theirs);
    await run("merge", file("own"));
    expect(readFileSync(path, "utf8")).toBe(
      mergeTalosconfig(theirs, own, { setCurrent: true }).text,
    );

    await run("context", "prod");
    expect(removeTalosconfig(readFileSync(path, "utf8"), own).text).toBe(theirs);
  });
});
