//go:build controllerManager

package main

import (
	"github.com/spf13/pflag"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
)

func flagSets() []*pflag.FlagSet {
	all, err := options.NewKubeControllerManagerOptions()
	if err != nil {
		panic(err)
	}

	return withGlobals(all.Flags(nil, nil, nil), "kube-controller-manager")
}
