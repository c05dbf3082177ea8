//go:build scheduler

package main

import (
	"github.com/spf13/pflag"
	"k8s.io/kubernetes/cmd/kube-scheduler/app/options"
)

func flagSets() []*pflag.FlagSet {
	return withGlobals(*options.NewOptions().Flags, "kube-scheduler")
}
