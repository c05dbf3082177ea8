//go:build kubelet

package main

import (
	"github.com/spf13/pflag"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
)

func flagSets() []*pflag.FlagSet {
	config, err := options.NewKubeletConfiguration()
	if err != nil {
		panic(err)
	}

	set := pflag.NewFlagSet("kubelet", pflag.ContinueOnError)
	options.NewKubeletFlags().AddFlags(set)
	options.AddKubeletConfigFlags(set, config)
	options.AddGlobalFlags(set)
	set.BoolP("help", "h", false, "")

	return []*pflag.FlagSet{set}
}
