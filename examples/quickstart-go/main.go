package main

import (
	"github.com/pulumi-talos-aws/pulumi-talos-aws/sdk/go/talosaws"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cluster, err := talosaws.NewTalosCluster(ctx, "demo", &talosaws.TalosClusterArgs{
			Environment:       "demo",
			Domain:            "example.com",
			TalosVersion:      pulumi.String("v1.14.1"),
			VersionContract:   pulumi.String("v1.14"),
			KubernetesVersion: pulumi.String("v1.37.2"),
			OperatorCidrs:     []string{"203.0.113.7/32"},
			Network: talosaws.ClusterNetworkArgs{
				Zones: []string{"eu-central-1a", "eu-central-1b", "eu-central-1c"},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("endpoint", cluster.Endpoint)
		ctx.Export("nodes", cluster.Nodes)
		ctx.Export("kubeconfig", cluster.Kubeconfig)
		ctx.Export("talosconfig", cluster.Talosconfig)
		return nil
	})
}
