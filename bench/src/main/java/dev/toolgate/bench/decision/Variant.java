package dev.toolgate.bench.decision;

import dev.toolgate.bench.decision.GrantTable.Asked;

/** The measured variants. */
public enum Variant {
    TOOLGATE("Toolgate, GrantRule on PostgreSQL", Product.TOOLGATE),
    JCASBIN_LIST("jCasbin, one policy per grant", Product.JCASBIN),
    JCASBIN_ROLES("jCasbin, one role per tool", Product.JCASBIN),
    JCASBIN_CACHED("jCasbin, one role per tool, CachedEnforcer", Product.JCASBIN),
    JCASBIN_CACHE_HITS("jCasbin, the same, asked only what it keeps", Product.JCASBIN_CACHE),
    CEDAR_GROUPS("Cedar, one group per tool", Product.CEDAR),
    CEDAR_ATTRIBUTE("Cedar, tools as an attribute", Product.CEDAR);

    /** The product of a variant. */
    enum Product {
        TOOLGATE,
        JCASBIN,
        /** Only returns cached answers, and decides nothing. */
        JCASBIN_CACHE,
        CEDAR
    }

    final String title;
    final Product product;

    Variant(String title, Product product) {
        this.title = title;
        this.product = product;
    }

    /** Opens an engine, after checking that its first answers are correct. */
    Engine open(int checked) throws Exception {
        GrantTable table = new GrantTable(this == JCASBIN_CACHE_HITS ? Asked.ONLY_GRANTED : Asked.ANYTHING);
        Engine engine = load(table);
        for (int question = 0; question < checked; question++) {
            if (engine.isYes(engine.ask(question)) != table.isGranted(question)) {
                throw new IllegalStateException(title + ": wrong answer to question " + question);
            }
        }
        return engine;
    }

    private Engine load(GrantTable table) throws Exception {
        return switch (this) {
            case TOOLGATE -> ToolgateEngine.open(table);
            case JCASBIN_LIST -> CasbinEngine.list(table);
            case JCASBIN_ROLES -> CasbinEngine.roles(table);
            case JCASBIN_CACHED, JCASBIN_CACHE_HITS -> CasbinEngine.cached(table);
            case CEDAR_GROUPS -> CedarEngine.groups(table);
            case CEDAR_ATTRIBUTE -> CedarEngine.attribute(table);
        };
    }
}
