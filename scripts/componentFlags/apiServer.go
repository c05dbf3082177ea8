//go:build apiServer

package main

import (
	"github.com/spf13/pflag"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

func flagSets() []*pflag.FlagSet {
	return withGlobals(options.NewServerRunOptions().Flags(), "kube-apiserver")
}
