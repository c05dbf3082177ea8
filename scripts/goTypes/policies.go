//go:build policies && !kubelet

package main

import policyconfig "k8s.io/apiserver/pkg/admission/plugin/policy/config/apis/policyconfig/install"

// Since v1.36.
func init() {
	installers = append(installers, policyconfig.Install)
}
