import pulumi
import pulumi_talos_aws as talos

cluster = talos.TalosCluster(
    "demo",
    environment="demo",
    domain="example.com",
    talos_version="v1.14.1",
    version_contract="v1.14",
    kubernetes_version="v1.37.2",
    operator_cidrs=["203.0.113.7/32"],
    network={"zones": ["eu-central-1a", "eu-central-1b", "eu-central-1c"]},
)

pulumi.export("endpoint", cluster.endpoint)
pulumi.export("nodes", cluster.nodes)
pulumi.export("kubeconfig", cluster.kubeconfig)
pulumi.export("talosconfig", cluster.talosconfig)
