// Package mysql stands where Temporal's storage in MySQL would: an embedded server has SQLite.
package mysql

const PluginName = "mysql8"
