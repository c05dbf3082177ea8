//go:build v1.30

package main

import (
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/validation"
)

// validate is what the API server asks of the file before it starts.
func validate(config *apiserver.AuthenticationConfiguration, disallowed []string) error {
	return validation.ValidateAuthenticationConfiguration(config, disallowed).ToAggregate()
}
