//go:build !v1.30

package main

import (
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
	"k8s.io/apiserver/pkg/authentication/cel"
)

// validate is what the API server asks of the file before it starts.
func validate(config *apiserver.AuthenticationConfiguration, disallowed []string) error {
	return validation.ValidateAuthenticationConfiguration(cel.NewDefaultCompiler(), config, disallowed).ToAggregate()
}
