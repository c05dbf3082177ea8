//go:build proxy

package main

import (
	"github.com/spf13/pflag"
	"k8s.io/kubernetes/cmd/kube-proxy/app"
)

func flagSets() []*pflag.FlagSet {
	command := app.NewProxyCommand()
	command.InitDefaultHelpFlag()

	return []*pflag.FlagSet{command.Flags()}
}
