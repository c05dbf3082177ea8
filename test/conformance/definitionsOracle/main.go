// Command definitions-oracle judges objects as an API server does, by the definition of their kind: its schema with
// defaults, its rules in CEL, and fields that it would drop. It reads a request from standard input, as JSON, and writes
// the problems of each object.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

type request struct {
	Definitions []v1.CustomResourceDefinition `json:"definitions"`
	Objects     []json.RawMessage             `json:"objects"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return err
	}
	answers := make([][]string, 0, len(asked.Objects))
	for _, text := range asked.Objects {
		var object map[string]any
		// Whole numbers stay whole, as rules in CEL need them.
		if err := utiljson.Unmarshal(text, &object); err != nil {
			return err
		}
		problems, err := judge(asked.Definitions, object)
		if err != nil {
			return err
		}
		answers = append(answers, problems)
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}

func judge(definitions []v1.CustomResourceDefinition, object map[string]any) ([]string, error) {
	props, err := schemaOf(definitions, object)
	if err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(props)
	if err != nil {
		return nil, err
	}
	problems := []string{}
	for _, path := range pruning.PruneWithOptions(object, structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		problems = append(problems, path+": unknown field")
	}
	defaulting.Default(object, structural)
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	found := validation.ValidateCustomResource(nil, object, validator)
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	broken, _ := rules.Validate(context.Background(), nil, structural, object, nil, celconfig.RuntimeCELCostBudget)
	for _, each := range append(found, broken...) {
		problems = append(problems, each.Error())
	}
	return problems, nil
}

func schemaOf(definitions []v1.CustomResourceDefinition, object map[string]any) (*apiextensions.JSONSchemaProps, error) {
	for _, definition := range definitions {
		for _, version := range definition.Spec.Versions {
			if object["kind"] == definition.Spec.Names.Kind && object["apiVersion"] == definition.Spec.Group+"/"+version.Name {
				props := &apiextensions.JSONSchemaProps{}
				err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, props, nil)
				return props, err
			}
		}
	}
	return nil, fmt.Errorf("no definition of %v %v", object["apiVersion"], object["kind"])
}
